/*
 * The agenda: when to look for work, in which group, with which reach, and when to sleep.
 *
 * The module is pure: events and the time come in, decisions come out.  It has no connection and no timer; the caller
 * sends the claims, sets one timer to agenda_wake_ms, and holds the gate while the worker is asleep.  Work is looked for
 * in groups of queues and task types; each group has the time of its next look.  All times are milliseconds of loop_now_ms.
 *
 *   event                       effect
 *   notified of work            all groups are due now
 *   notified of a queue         if asleep: the group that last found work there is due now, the others shortly after
 *   direct claim made           all groups are due soon
 *   claim sent                  its group is not due any more; events before its answer make it due again
 *   answer: full                its group is due now, the others after a while; the mood is busy
 *   answer: cut, fair, second   its group is due now, because the claim did not see everything
 *   answer: short               if a longer reach is allowed: its group is due now, with the next reach
 *                               otherwise nothing is left in the group, as far as the claim could see, unless an event came
 *                               since the claim was sent
 *   answer: nothing             if no group is due: groups that are due later are due now, so that sleep comes quickly
 *   nothing is due              if tasks come fast: busy for BOUND_AWAKE_MS more; otherwise asleep
 *   next due time known         all groups are due at that time
 *   next due time is later      than the one that was known: all groups are due now
 *   next due time not answered  all groups are due when the question is asked again
 *   time passes                 a group is due one poll interval after its last claim, whatever happens to other groups
 *
 * A claim has one of three reaches.  An exact claim starts right behind the last task of each lane.  An overlapping claim
 * starts a second before it.  A claim from the front sees everything.  A task that was committed late or dated back lies
 * before the start of an exact claim.  So a short claim is repeated with a longer reach, and the front is claimed from once
 * a second.  Both happen less often when they are slow.
 */
#ifndef TASK_AGENDA_H
#define TASK_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "task/rate_window.h"

/* Where a claim begins: right behind the last task, a moment before it, or at the front. */
enum reach { REACH_EXACT, REACH_OVERLAP, REACH_FRONT };

/* Result of the last claim of a group. */
enum shown {
    SHOWN_UNKNOWN, /* the group may have more tasks */
    SHOWN_SHORT,   /* no more tasks within the reach of the claim */
    SHOWN_EMPTY,   /* the claim was from the front, found no task and passed over none */
};

/* State of the worker, as enqueuers see it. */
enum mood {
    MOOD_LOOKING, /* neither busy nor asleep */
    MOOD_BUSY,    /* enqueuers need not notify this worker */
    MOOD_ASLEEP,  /* the next look is more than a few milliseconds away */
};

/* Plan for one group of queues.  Times are those of loop_now_ms. */
struct agenda_group {
    bool is_served;          /* the worker serves task types of this group */
    bool has_rate;           /* the channel of this group has a rate, so its claims are never exact */
    enum shown shown;        /* result of the last claim */
    int64_t look_ms;         /* time of the next look; AGENDA_NEVER: after the next event */
    int64_t claimed_ms;      /* time of the last claim */
    int64_t front_min_ms;    /* earliest time of the next claim from the front */
    int64_t front_max_ms;    /* latest time of the next claim from the front */
    int64_t exact_max_ms;    /* latest time of an exact claim */
    int64_t overlap_took_ms; /* duration of the last claim that was not exact */
    int64_t empty_took_ms;   /* duration of the last claim that found nothing */
};

#define AGENDA_NEVER INT64_MAX

/* Plan for all groups. */
struct agenda {
    struct agenda_group *groups;
    int count;
    int64_t poll_ms;     /* longest time between two looks at a group */
    bool may_stay_awake; /* if tasks come fast, the worker stays awake between them */
    enum mood mood;
    int next;                 /* group to claim for first */
    int found_group;          /* group of the last claim that found a task */
    struct rate_window found; /* tasks found by claims */
    struct rate_window finds; /* claims that found a task */
    int64_t looked_ms;        /* time of the last claim */
    int64_t due_ms;           /* time at which the next task becomes due; AGENDA_NEVER: none is known */
    int64_t ask_due_ms;       /* time of the next question when a task becomes due */
    int64_t asked_due_ms;     /* time of the last question when a task becomes due */
    int64_t not_before_ms;    /* after an error: no claim before this time */
    int64_t asleep_since_ms;  /* start of the sleep, or time of the last log line about it */
};

/* Answer to a claim. */
struct agenda_answer {
    int group;
    enum reach reach;
    int64_t sent_ms;   /* time at which the claim was sent */
    int asked;         /* limit of the claim, in tasks */
    int count;         /* tasks that the claim brought */
    bool is_second;    /* the claim was made beside the first claim */
    bool is_beside;    /* another claim was in flight, and may have locked rows that this claim passed over */
    bool is_fair;      /* the claim left out queues */
    bool is_limited;   /* the claim passed over destinations that are full */
    bool is_cut;       /* a destination became full while the claim was made */
    bool is_gate_held; /* enqueuers notify the worker of new tasks */
};

/* Room of the caller for tasks of a group. */
struct agenda_rooms {
    int (*now)(void *cookie, int group);   /* tasks that a group may take now; 0: none, or it is better to wait for more room */
    bool (*soon)(void *cookie, int group); /* true: the group has room soon; false: an event comes when it has room */
    void *cookie;                          /* first argument of both functions; not owned */
};

/* Allocates `count` groups, which are all due at once; agenda_release frees them.  No function of this module fails.  The
 * argument `group` is an index below `count`. */
void agenda_init(struct agenda *agenda, int count, int64_t poll_ms);
void agenda_release(struct agenda *agenda);

/* There may be work: in any group; in one group; in a queue in which `group` last found work. */
void agenda_call(struct agenda *agenda, int64_t now_ms);
void agenda_call_group(struct agenda *agenda, int group, int64_t now_ms);
void agenda_call_queue(struct agenda *agenda, int group, int64_t now_ms);

/* The same as agenda_call, for work that may be older than the last look: its transaction may have been open for long.  If
 * the next claim finds nothing, a claim from the front follows soon. */
void agenda_call_late(struct agenda *agenda, int64_t now_ms);

/* All groups are due BOUND_SOON_MS from now. */
void agenda_call_soon(struct agenda *agenda, int64_t now_ms);

/* The next claim of a group is from the front. */
void agenda_force_front(struct agenda *agenda, int group);

/* All groups that are not known to be empty are due now, from the front.  False: there is no such group. */
bool agenda_call_fronts(struct agenda *agenda, int64_t now_ms);

/* Tasks have ended that may have enqueued others: no group is known to be empty any more. */
void agenda_forget_empty(struct agenda *agenda);

/* Returns the group to claim for now, and in *ret_limit the limit of the claim in tasks.  -1: no claim now, and *ret_limit is
 * unchanged. */
int agenda_pick(struct agenda *agenda, const struct agenda_rooms *rooms, int64_t now_ms, int *ret_limit);

/* Is the worker asleep, with no look due except a claim from the front? */
bool agenda_is_quiet(const struct agenda *agenda, int64_t now_ms);

/* Is a look overdue because direct claims came before it? */
bool agenda_is_overdue(const struct agenda *agenda, int64_t now_ms);

/* Reach of the next claim of a group.  knows_position: a position to start from is known. */
enum reach agenda_reach(const struct agenda *agenda, int group, bool knows_position, int64_t now_ms);

/* A claim was sent; tasks were found; a claim was answered; a claim failed. */
void agenda_on_sent(struct agenda *agenda, int group, bool is_second, int64_t now_ms);
void agenda_on_found(struct agenda *agenda, int group, int count, int64_t now_ms);
void agenda_on_answer(
    struct agenda *agenda, const struct agenda_answer *answer, const struct agenda_rooms *rooms, int64_t now_ms);
void agenda_on_failed(struct agenda *agenda, int group, bool is_second, bool is_beside, int64_t now_ms);

/* Is it time to ask when the next task is due?  wait_ms, the answer, is the time until then in milliseconds.  Negative: a
 * task is due already.  AGENDA_NEVER: no task is scheduled. */
bool agenda_asks_due(const struct agenda *agenda, int64_t now_ms);
void agenda_on_due_asked(struct agenda *agenda, int64_t now_ms);
void agenda_on_due(struct agenda *agenda, int64_t wait_ms, int64_t now_ms);

/* The time that agenda_wake_ms named has come: if a task is due by now, all groups are due. */
void agenda_on_time(struct agenda *agenda, int64_t now_ms);

/* The next time at which agenda_on_time, agenda_pick or agenda_asks_due may say something new.  AGENDA_NEVER: only after an
 * event. */
int64_t agenda_wake_ms(const struct agenda *agenda, int64_t now_ms);

#endif
