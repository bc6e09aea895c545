/*
 * Destinations of calls, over all channels, and the limits of each: calls at once, and retries among them.  A destination
 * that fails again and again gets no calls for a while.  A destination is a host with its port, or the provider that the
 * worker has for a channel.  Calls whose destination is known only after their announcement share one entry until then.
 *
 *   open --10 failures in a row--> closed 30 s --time--> trial --answered--> open
 *                                  ^  doubled, to 10 min  |
 *                                  +-------failed---------+
 *
 * A destination that hangs does not delay the others: a host gets `per_host` places, a provider gets three quarters of all
 * places, and a quarter of all is kept for destinations that have none yet.  A claim has a limit for each destination;
 * tasks of a full or closed destination wait in the database, not in our places.  Retries get a quarter of the places of a
 * host, one more after each good answer, up to three quarters, and a quarter again after each bad answer.  So retries never
 * crowd out new tasks.
 */
#ifndef TASK_HOST_H
#define TASK_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/list.h"

/* All destinations that this worker knows. */
struct hosts {
    struct list all; /* all entries, owned; the last one was used last */
    int count;       /* entries in `all` */
    int per_host;    /* places of one host */
    int most;        /* places of all destinations; may be changed at any time */
    int held;        /* tasks that this worker holds for all destinations */
    int placed;      /* calls under way to all destinations */
};

/* A destination that holds a task, or that has failed since its last good answer.  Of destinations that only failed, the
 * latest BOUND_HOST_COUNT are kept. */
struct host {
    struct list node;
    int held;                /* tasks that this worker holds for it */
    int placed;              /* calls under way to it */
    int retries;             /* held tasks that were tried before */
    int budget;              /* largest number of retries */
    int failures;            /* failures in a row */
    int64_t closed_until_ms; /* end of the time without calls, as time of loop_now_ms */
    int64_t close_ms;        /* length of the last time without calls; 0: the destination is open */
    bool is_own;             /* a provider of this worker, or an unknown destination: per_host does not apply */
    char name[];             /* empty: the destination is not known yet */
};

/* Change that the end of a call has made. */
enum host_change {
    HOST_AS_BEFORE,
    HOST_ROOMY,  /* the destination was full, and has room now */
    HOST_CLOSED, /* the destination gets no calls for close_ms */
    HOST_OPENED, /* the destination answers again and has room */
};

/* Limits of a claim.  The three buffers are array literals of the same length, with one element per destination that holds
 * tasks or is closed. */
struct host_limits {
    struct buf names;       /* names of the destinations; null: tasks whose destination is not known */
    struct buf rooms;       /* largest number of tasks for each */
    struct buf retry_rooms; /* largest number of retries among them */
    int other_room;         /* largest number of tasks for every other destination */
    int other_retry_room;   /* largest number of retries among these */
    int shared_room;        /* largest number of tasks in all, without the first one of every other destination */
};

/* Makes an empty set; hosts_free frees all its entries.  per_host and most are numbers of places. */
void hosts_init(struct hosts *hosts, int per_host, int most);
void hosts_free(struct hosts *hosts);

/* The worker holds a task of this destination from now on.  Name NULL: the destination is not known yet.  The entry belongs
 * to `hosts` and stays until hosts_give_back.  The name is copied. */
struct host *hosts_take(struct hosts *hosts, const char *name, bool is_own, bool is_retry);

/* Moves a task to the destination `name`, which is known only now, and returns its entry.  NULL: that destination has no
 * room, and nothing has changed. */
struct host *hosts_move(struct hosts *hosts, struct host *host, const char *name, bool is_retry, int64_t now_ms);

/* May a call to this destination start now?  A call has started: hosts_give_back with was_started ends it. */
bool hosts_may_start(const struct hosts *hosts, const struct host *host);
void hosts_start(struct hosts *hosts, struct host *host);

/* The worker does not hold a task any more.  error_class NULL: the call was answered well; "": the result is not known.
 * This call does not free `host`; the next call of hosts_give_back or hosts_take may. */
enum host_change hosts_give_back(
    struct hosts *hosts, struct host *host, bool is_retry, bool was_started, const char *error_class, int64_t now_ms);

/* host_limits_init comes first, and host_limits_release frees the buffers.  hosts_limit fills `limits` for a claim, once; if
 * names.overflowed is set, the claim cannot use them.  `ahead`: calls to claim ahead, because as many end during the claim and
 * the announcement.  True: tasks of a destination that answers may have to wait for room. */
void host_limits_init(struct host_limits *limits);
bool hosts_limit(const struct hosts *hosts, int64_t now_ms, int ahead, struct host_limits *limits);
void host_limits_release(struct host_limits *limits);

/* Writes the closed destinations and the milliseconds that each stays closed to two array literals, at most
 * BOUND_HOST_CLOSED_COUNT of them.  Both buffers are empty before; they stay empty if no destination is closed. */
void hosts_closed(const struct hosts *hosts, int64_t now_ms, struct buf *names, struct buf *left_ms);

/* Is a destination at its limit, with calls under way? */
bool hosts_are_full(const struct hosts *hosts, int64_t now_ms);

#endif
