/*
 * A carrier carries out calls that are no requests: it hands each task to somebody on this machine and brings back the
 * outcome.  The worker knows this interface only.  src/program implements it with child processes, and the simulation with a
 * model of them.
 *
 * A carrier has places, one for each call at once.  A call that was not handed over ends as "unsent", so it is never in doubt.
 */
#ifndef CHANNEL_CARRIER_H
#define CHANNEL_CARRIER_H

#include <stdbool.h>
#include <stdint.h>

struct loop;

/* A task to be carried out.  The texts belong to the caller. */
struct carrier_task {
    int64_t id;
    const char *type;
    const char *payload;     /* JSON on one line */
    const char *key;         /* idempotency key */
    int attempt;             /* number of the attempt, from 1 */
    const char *traceparent; /* span of the call, for the trace of the task; NULL: none */
    int64_t timeout_ms;      /* longest time of the call; 0: no limit */
};

/* The end of a call.  The worker takes ownership of `result` and `error`. */
struct carrier_answer {
    const char *outcome;     /* succeeded, failed, in_doubt, unsent; static text */
    char *result;            /* JSON; NULL: none */
    char *error;             /* text; NULL: none */
    const char *error_class; /* static text; NULL: none */
};

/* What the carrier calls.  The cookie of each call is the one that `send` got. */
struct carrier_user {
    void *cookie;
    void (*on_change)(void *cookie); /* types or places have changed, or a place is free again */
    bool (*may_send)(void *call);    /* asked right before the first byte is handed over; false: do not send */
    void (*on_answer)(void *call, const struct carrier_answer *answer); /* once for each call, never from within `send` */
    void (*on_progress)(void *call, const char *progress);              /* JSON, valid during the call */
};

/* Is there a place for a task of this type? */
enum carrier_room {
    CARRIER_FREE,   /* yes */
    CARRIER_BUSY,   /* not now */
    CARRIER_UNABLE, /* nobody here does this type now */
};

/* Those who carry out the calls, and how many of them have ended since the start. */
struct carrier_figures {
    int starting;
    int ready;
    int leaving;
    int64_t ended;  /* as expected */
    int64_t failed; /* otherwise */
};

struct carried;

/* A carrier.  All functions get `self`, which outlives the worker. */
struct carrier {
    void *self;

    /* The worker lives on this loop; `user` is copied. */
    void (*begin)(void *self, struct loop *loop, const struct carrier_user *user);

    /* Array literal of the types that can be carried out; it belongs to the carrier.  NULL: not known yet. */
    const char *(*types)(const void *self);

    /* Number of calls at once, now. */
    int (*places)(const void *self);
    enum carrier_room (*room)(const void *self, const char *type);

    /* Hands a task over; there must be a free place.  The carrier owns the result until `on_answer` or `forget`. */
    struct carried *(*send)(void *self, const struct carrier_task *task, void *call);

    /* Asks the call to end soon, and ends it by force if it does not.  `on_answer` still comes.  is_lost: its lease was lost,
     * otherwise its task was cancelled. */
    void (*cancel)(struct carried *carried, bool is_lost);

    /* The same, and the answer is of no interest: `on_answer` does not come. */
    void (*forget)(struct carried *carried);

    /* Replaces whoever carries out the calls, without losing one.  NULL: not possible. */
    void (*replace)(void *self);

    /* The worker has ended: finish everything, then call loop_stop.  True: there was nothing to finish, and loop_stop is not
     * called.  NULL: nothing to do. */
    bool (*stop)(void *self);

    /* Closes everything that is still on the loop. */
    void (*end)(void *self);

    /* NULL: there are no figures. */
    void (*figures)(const void *self, struct carrier_figures *ret_figures);
};

#endif
