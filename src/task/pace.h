/*
 * How many work connections run quick batches at once.
 *
 * Beyond the cores of the server, more connections make every batch slower and the whole no
 * faster: with 64 of them on two cores a third of the best rate is left.  How many cores there
 * are, and how much of a task is waiting, we cannot know; so in a backlog we try.  Half as many
 * for a moment: if about as much is done, it stays so.  Twice as many: if clearly more is done.
 * A batch that takes far longer than others holds back nobody.
 */
#ifndef TASK_PACE_H
#define TASK_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    int limit;            /* connections at once; what we are here for */
    int most;             /* all of them */
    bool is_trial;        /* the limit is being tried */
    int direction;        /* of the next trial, or of this one: -1 fewer, 1 more */
    bool has_failed;      /* the trial before this one was of no use */
    int before;           /* the limit before the trial */
    int64_t trial_due_ms; /* not before this time */
    double rate;          /* tasks per millisecond under the limit before the trial */
    double batch_ms;      /* what a batch takes, as of late */
    int64_t began_ms;     /* the stretch that is being measured; 0: none */
    int done;             /* tasks in it */
    int batches;          /* of so many batches */
    bool was_short;       /* in it there was no backlog: it says nothing */
    bool was_cold;        /* in it a connection planned its statements: it says little */
    int cold_stretches;   /* so many were left out of account for that, one after the other */
};

/* Nothing is known; of `most` connections the first so many are used. */
void pace_init(struct pace *pace, int first, int most);

/* A batch has ended, with so many tasks done. */
void pace_on_batch(struct pace *pace, int64_t now_ms, int done, int64_t took_ms);

/* The batch that ends now was held up: its connection had statements to plan.  It takes the place of
 * hundreds of tasks, and would make what follows look good. */
void pace_on_cold(struct pace *pace);

/* There is no backlog. */
void pace_on_short(struct pace *pace);

/* Is a batch of this age far slower than others?  Then it holds back nobody. */
bool pace_is_slow(const struct pace *pace, int64_t age_ms);

/* Tasks that are done in a second, as it looks. */
int pace_per_second(const struct pace *pace, int64_t now_ms);

#endif
