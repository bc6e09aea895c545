/*
 * Pace: the number of work connections that run quick batches at once.
 *
 * With more connections than the server has cores, every batch is slower and the whole is no faster: 64 connections on two
 * cores reach a third of the best rate.  The worker cannot know how many cores there are, nor how much of a task is waiting.
 * So it tries in a backlog.  It uses half as many connections for a moment, and keeps that limit if about as many tasks are
 * done.  It uses twice as many, and keeps that limit if clearly more tasks are done.  A batch that takes far longer than
 * others does not count against the limit.
 */
#ifndef TASK_PACE_H
#define TASK_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Learned speeds.  Times are those of loop_now_ms. */
struct pace {
    int limit;            /* connections that may run quick batches at once: the result of this module */
    int most;             /* all work connections */
    bool is_trial;        /* the limit is being tried */
    int direction;        /* direction of this or the next trial: -1 fewer connections, 1 more */
    bool has_failed;      /* the trial before this one was of no use */
    int before;           /* limit before the trial */
    int64_t trial_due_ms; /* earliest time of the next trial */
    double rate;          /* tasks per millisecond under the limit before the trial */
    double batch_ms;      /* recent average duration of a batch */
    int64_t began_ms;     /* start of the stretch that is being measured; 0: none */
    int done;             /* tasks done in the stretch */
    int batches;          /* batches ended in the stretch */
    bool was_short;       /* the stretch had a time without backlog, so it measures nothing */
    bool was_cold;        /* a connection planned its statements in the stretch, so it measures little */
    int cold_stretches;   /* stretches in a row that were ignored because of planning */
};

/* Starts without measurements, with `first` of `most` connections. */
void pace_init(struct pace *pace, int first, int most);

/* A batch has ended after took_ms milliseconds, with `done` tasks done. */
void pace_on_batch(struct pace *pace, int64_t now_ms, int done, int64_t took_ms);

/* The batch that ends now was slow because its connection planned its statements.  Planning takes the time of hundreds of
 * tasks, and would make the next stretch look good. */
void pace_on_cold(struct pace *pace);

/* There is no backlog. */
void pace_on_short(struct pace *pace);

/* Is a batch of this age, in milliseconds, far slower than others?  Then it does not count against the limit. */
bool pace_is_slow(const struct pace *pace, int64_t age_ms);

/* Estimated number of tasks done per second; 0: nothing was measured yet. */
int pace_per_second(const struct pace *pace, int64_t now_ms);

#endif
