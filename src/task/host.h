/*
 * Destinations of calls, whatever their channel, and what may be asked of each: so many calls at once, a part of
 * them retries, and none for a while when it fails again and again.  A destination is a host with its port, or the
 * provider that the worker has for a channel; calls whose destination is known only when they are announced share
 * one entry until then.
 *
 *   open --10 failures in a row--> closed 30 s --time--> trial --answered--> open
 *                                  ^  doubled, to 10 min  |
 *                                  +-------failed---------+
 *
 * One that hangs costs only itself: a host gets `per_host` places, a provider three quarters of all, and a quarter of
 * all is for destinations that have none yet.  A claim is told how many tasks of each destination it may bring; those
 * of a full or closed one wait in the database, not in our places.  Retries get a quarter of the places of a host,
 * one more with each good answer, up to three quarters, and a quarter again after each bad one: what failed before
 * never crowds out what is new.
 */
#ifndef TASK_HOST_H
#define TASK_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"

struct hosts {
    struct list all; /* the one that was used last comes last */
    int count;
    int per_host; /* places of one host */
    int most;     /* places of all destinations; may be changed at any time */
    int held;     /* tasks that we hold for all of them */
    int placed;   /* calls of them that are under way */
};

/* Known as long as it holds a task, or has failed since it last answered; of the latter only so
 * many (BOUND_HOST_COUNT). */
struct host {
    struct list node;
    int held;     /* tasks that we hold for it */
    int placed;   /* calls of them that are under way */
    int retries;  /* tasks that were tried before */
    int budget;   /* how many may be */
    int failures; /* in a row */
    int64_t closed_until_ms;
    int64_t close_ms; /* how long it was closed last; 0: it is open */
    bool is_own;      /* a provider of ours, or not known yet: per_host does not count */
    char name[];      /* empty: not known yet */
};

/* What the end of a call changed. */
enum host_change {
    HOST_AS_BEFORE,
    HOST_ROOMY,  /* there is room, and was none */
    HOST_CLOSED, /* closed, for close_ms */
    HOST_OPENED, /* it answers again; there is room */
};

/* What a claim may bring. */
struct host_limits {
    struct buf names;       /* array literals, of the same length: destinations that hold tasks or are closed; null: not known */
    struct buf rooms;       /* how many more each of them may get */
    struct buf retry_rooms; /* how many of these may be retries */
    int other_room;         /* how many every other destination may get */
    int other_retry_room;
    int shared_room; /* how many all together may get, without the first one of every other destination */
};

void hosts_init(struct hosts *hosts, int per_host, int most);
void hosts_free(struct hosts *hosts);

/* A task of this destination is ours from now on.  NULL: it is not known yet. */
struct host *hosts_take(struct hosts *hosts, const char *name, bool is_own, bool is_retry);

/* Its destination has turned out to be another one, which is returned.  NULL: that one has no room, and nothing has
 * changed. */
struct host *hosts_move(struct hosts *hosts, struct host *host, const char *name, bool is_retry, int64_t now_ms);

/* May a call begin?  It has. */
bool hosts_may_start(const struct hosts *hosts, const struct host *host);
void hosts_start(struct hosts *hosts, struct host *host);

/* A task is not ours any more.  Class NULL: answered well; "": nothing is known.  The
 * host may be freed by the next call of hosts_give_back or hosts_take, not by this one. */
enum host_change hosts_give_back(
    struct hosts *hosts, struct host *host, bool is_retry, bool was_started, const char *error_class, int64_t now_ms);

/* `ahead`: calls that end while a claim and an announcement take their time; so many more may be claimed.
 * True: something may wait for a destination that answers. */
void host_limits_init(struct host_limits *limits);
bool hosts_limit(const struct hosts *hosts, int64_t now_ms, int ahead, struct host_limits *limits);
void host_limits_release(struct host_limits *limits);

/* Is one of them at its limit, with calls under way? */
bool hosts_are_full(const struct hosts *hosts, int64_t now_ms);

#endif
