/*
 * Destinations of HTTP jobs, and what may be asked of each: so many calls at once, a part of them
 * retries, and none for a while when it fails again and again.
 *
 *   open --10 failures in a row--> closed 30 s --time--> trial --answered--> open
 *                                  ^  doubled, to 10 min  |
 *                                  +-------failed---------+
 *
 * A claim is told how many tasks of each destination it may bring; those of a full or closed one
 * wait in the database, not in our places.  Retries ("retry HOST") get a quarter of the places, one
 * more with each good answer, up to three quarters, and a quarter again after each bad one: what
 * failed before never crowds out what is new.
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
    int per_host;
};

/* Known as long as it holds a task, or has failed since it last answered; of the latter only so
 * many (BOUND_HOST_COUNT). */
struct host {
    struct list node;
    int held;     /* tasks that we hold for it */
    int retries;  /* and those of them that were tried before */
    int budget;   /* how many may be */
    int failures; /* in a row */
    int64_t closed_until_ms;
    int64_t close_ms; /* how long it was closed last; 0: it is open */
    char name[];
};

/* What the end of a call changed. */
enum host_change {
    HOST_AS_BEFORE,
    HOST_ROOMY,  /* there is room, and was none */
    HOST_CLOSED, /* closed, for close_ms */
    HOST_OPENED, /* it answers again; there is room */
};

void hosts_init(struct hosts *hosts, int per_host);
void hosts_free(struct hosts *hosts);

/* A task of this destination is ours from now on. */
struct host *hosts_take(struct hosts *hosts, const char *destination, bool *ret_is_retry);

/* Its call is over, or will not be made.  Class NULL: answered well; "": nothing is known.  The
 * host may be freed by the next call of hosts_give_back or hosts_take, not by this one. */
enum host_change hosts_give_back(struct hosts *hosts, struct host *host, bool is_retry, const char *error_class, int64_t now_ms);

/* For a claim, as an array literal: "name" is passed over, "name=n" may get n more, "*=n" all
 * others.  True: something may wait for a host that answers. */
bool hosts_limits(const struct hosts *hosts, int64_t now_ms, struct buf *literal);

/* Is one of them at its limit, with calls under way? */
bool hosts_are_full(const struct hosts *hosts, int64_t now_ms);

#endif
