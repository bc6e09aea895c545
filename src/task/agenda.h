/*
 * When to look for work, where from, and when to sleep.
 *
 * The module is pure: events and the time come in, decisions come out.  It has no connection and no timer; the caller
 * sends the claims, sets one timer to agenda_wake_ms, and holds the gate while the worker is asleep.  Work is looked for
 * in groups of queues and task types; each has the time of its next look.
 *
 *   event                       effect
 *   told of work                all groups are due now
 *   told of a queue             if asleep: the group that last found work there is due now, the others shortly after
 *   a moment after a direct claim  all groups are due soon
 *   claim sent                  its group is due no more; events until its answer make it due again
 *   answer: full                its group is due now, the others after a while; busy
 *   answer: cut, fair, second   its group is due now: it did not see everything
 *   answer: short               with a shorter reach than it may have: due now, with the next reach
 *                               otherwise nothing is left in the group, as far as the claim could see
 *   answer: nothing             and no group is due: those that are due later are due now, so that sleep comes quickly
 *   nothing is due              busy for BOUND_AWAKE_MS more if tasks come fast, else asleep
 *   next due time known         all groups are due then
 *   time passes                 a group is due a poll interval after its last claim, whatever happens elsewhere
 *
 * A claim has one of three reaches.  An exact claim starts right behind the last task of each lane, an overlapping one
 * a second before it, and one from the front sees everything.  A task that was committed late or dated back lies before the
 * place of an exact claim.  So a short claim is repeated with a longer reach, and the front is looked at once a second;
 * both happen less often where they cost much.
 */
#ifndef TASK_AGENDA_H
#define TASK_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "task/rate_window.h"

enum reach { REACH_EXACT, REACH_OVERLAP, REACH_FRONT };

/* What the last claim of a group showed. */
enum shown {
    SHOWN_UNKNOWN, /* there may be more */
    SHOWN_SHORT,   /* no more within its reach */
    SHOWN_EMPTY,   /* nothing, from the very front, and nothing was passed over */
};

enum mood {
    MOOD_LOOKING, /* neither of the others */
    MOOD_BUSY,    /* enqueuers need not notify us */
    MOOD_ASLEEP,  /* the next look is further away than a few milliseconds */
};

struct agenda_group {
    bool is_served;          /* there are task types for it */
    bool has_rate;           /* its claims are never exact */
    enum shown shown;        /* what the last claim showed */
    int64_t look_ms;         /* time of the next look; AGENDA_NEVER: when something happens */
    int64_t claimed_ms;      /* time of the last claim */
    int64_t front_min_ms;    /* earliest time of the next claim from the front */
    int64_t front_max_ms;    /* latest time of the next claim from the front */
    int64_t exact_max_ms;    /* latest time of an exact claim */
    int64_t overlap_took_ms; /* duration of the last claim that was not exact */
    int64_t empty_took_ms;   /* duration of the last claim that found nothing */
};

#define AGENDA_NEVER INT64_MAX

struct agenda {
    struct agenda_group *groups;
    int count;
    int64_t poll_ms;     /* longest time between two looks at a group */
    bool may_stay_awake; /* between tasks that come fast */
    enum mood mood;
    int next;                 /* group to ask first */
    int found_group;          /* group of the last claim that found something */
    struct rate_window found; /* tasks */
    struct rate_window finds; /* claims that found some */
    int64_t looked_ms;        /* time of the last claim */
    int64_t due_ms;           /* time at which the next task becomes due, as far as we know */
    int64_t ask_due_ms;       /* time to ask when the next task is due */
    int64_t asked_due_ms;     /* time at which that was asked last */
    int64_t not_before_ms;    /* after an error: no claim before this time */
    int64_t asleep_since_ms;  /* or since the last log line that said so */
};

struct agenda_answer {
    int group;
    enum reach reach;
    int64_t sent_ms;
    int asked;
    int count;
    bool is_second;    /* made beside another one */
    bool is_beside;    /* another one was in flight, and may have held rows that it passed over */
    bool is_fair;      /* it left out queues */
    bool is_limited;   /* it passed over destinations that are full */
    bool is_cut;       /* a destination became full while it was made */
    bool is_gate_held; /* enqueuers tell us of what is new */
};

/* What the caller has room for. */
struct agenda_rooms {
    int (*now)(void *cookie, int group);   /* tasks that a group may take now; 0: none, or it is better to wait for more room */
    bool (*soon)(void *cookie, int group); /* a look at the group is worth waiting for; else an event tells of its room */
    void *cookie;
};

/* All groups are due at once. */
void agenda_init(struct agenda *agenda, int count, int64_t poll_ms);
void agenda_release(struct agenda *agenda);

/* Something says that there is work: anywhere; in a group; in a queue that a group last found work in. */
void agenda_call(struct agenda *agenda, int64_t now_ms);
void agenda_call_group(struct agenda *agenda, int group, int64_t now_ms);
void agenda_call_queue(struct agenda *agenda, int group, int64_t now_ms);

/* The same as agenda_call, where the work may be older than our last look: its transaction may have been open for long.  If
 * nothing is found, the front is looked at soon. */
void agenda_call_late(struct agenda *agenda, int64_t now_ms);

/* All groups are due in a moment. */
void agenda_call_soon(struct agenda *agenda, int64_t now_ms);

/* The next claim of a group is from the front. */
void agenda_force_front(struct agenda *agenda, int group);

/* Groups that are not known to be empty are due now, from the front.  False: there are none. */
bool agenda_call_fronts(struct agenda *agenda, int64_t now_ms);

/* Tasks have ended that may have enqueued more: no group is known to be empty. */
void agenda_forget_empty(struct agenda *agenda);

/* The group to claim for now, and how many tasks; -1: none. */
int agenda_pick(struct agenda *agenda, const struct agenda_rooms *rooms, int64_t now_ms, int *ret_limit);

/* Asleep, and no look is due but perhaps those at the front. */
bool agenda_is_quiet(const struct agenda *agenda, int64_t now_ms);

/* Is a look overdue because direct claims came before it? */
bool agenda_is_overdue(const struct agenda *agenda, int64_t now_ms);

/* Reach of the next claim of a group.  knows_places: something is known to start from. */
enum reach agenda_reach(const struct agenda *agenda, int group, bool knows_places, int64_t now_ms);

void agenda_on_sent(struct agenda *agenda, int group, bool is_second, int64_t now_ms);
void agenda_on_found(struct agenda *agenda, int group, int count, int64_t now_ms);
void agenda_on_answer(
    struct agenda *agenda, const struct agenda_answer *answer, const struct agenda_rooms *rooms, int64_t now_ms);
void agenda_on_failed(struct agenda *agenda, int group, bool is_second, bool is_beside, int64_t now_ms);

/* Is it time to ask when the next task is due?  The answer: in so many milliseconds, in the past if negative, or
 * AGENDA_NEVER. */
bool agenda_asks_due(const struct agenda *agenda, int64_t now_ms);
void agenda_on_due_asked(struct agenda *agenda, int64_t now_ms);
void agenda_on_due(struct agenda *agenda, int64_t wait_ms, int64_t now_ms);

/* The time that agenda_wake_ms named has come: if a task is due by now, all groups are due. */
void agenda_on_time(struct agenda *agenda, int64_t now_ms);

/* The next time at which agenda_on_time, agenda_pick or agenda_asks_due may say something new. */
int64_t agenda_wake_ms(const struct agenda *agenda, int64_t now_ms);

#endif
