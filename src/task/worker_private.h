/*
 * The parts of a worker and what they know of each other.  Each part is one file:
 *
 *   process.c       the process around it: its loop, its signals, its descriptors
 *   worker.c        connections, start, stop, one pass of the loop
 *   agenda.c        when to look for work, where from, and when to sleep: decisions only
 *   look.c          what the agenda is told and asked, and what follows from it
 *   room.c          how many tasks may be taken
 *   claim.c         claims: from where, and what follows from their answers
 *   direct_claim.c  a work connection claims one task and runs it, in one round trip
 *   rate_window.c         how much happened lately
 *   hints.c         where the next claim begins
 *   claimed.c       what a claim brought
 *   settings.c      queues and types as the database knows them
 *   slot.c          work connections: who gets the next free one, and how much
 *   pace.c          how many of them run quick batches at once
 *   run_function.c  database work: a batch of tasks in one transaction
 *   run_command.c   commands: the step before their handler
 *   run_channel.c   outside work: announce, call the provider, know the outcome
 *   finish.c        outcomes that are still to be recorded; repeated until answered
 *   lease.c         renewing, releasing
 *   instance.c      one instance at a time, if asked for
 *   gate.c          being woken: listening, and telling enqueuers that we sleep
 *   upkeep.c        sign of life, sweep, retention
 */
#ifndef TASK_WORKER_PRIVATE_H
#define TASK_WORKER_PRIVATE_H

#include "base/bounds.h"
#include "base/buf.h"
#include "base/list.h"
#include "base/log.h"
#include "channel/channel.h"
#include "db/db_conn.h"
#include "http/http_client.h"
#include "loop/loop.h"
#include "task/agenda.h"
#include "task/hints.h"
#include "task/host.h"
#include "task/pace.h"
#include "task/rate_window.h"
#include "task/task.h"
#include "task/worker.h"

struct worker;

/* What a work connection carries. */
enum slot_use { SLOT_FINISH, SLOT_BEGIN, SLOT_EXECUTE, SLOT_USES };

/* A work connection and the tasks whose transaction it carries. */
struct slot {
    struct worker *worker;
    struct db_conn *conn;
    struct list tasks; /* in the order sent; empty: free */
    int count;
    enum slot_use use;
    int64_t sent_ms;   /* when the unit was sent */
    int64_t boot_ms;   /* the same for an announcement, as time of loop_boot_ms */
    int64_t carried;   /* tasks since it was connected */
    int64_t plan_at;   /* at so many its statements are planned again */
    bool is_cold;      /* they are planned in this unit */
    bool is_warm;      /* it has answered since it was connected */
    bool is_cancelled; /* we asked the server to cancel it */
    bool was_up;       /* and was not ended by us */
    bool is_pruning;   /* it carries upkeep */
    bool is_holder;    /* its session may claim */
    bool is_claiming;  /* it claims: for itself, to run what it gets, or for all */
    bool must_reset;   /* and the request may still be on its way: a new connection before other work */
};

/* Queues and task types that are claimed together: database work, or calls. */
struct queue_group {
    char *queues;   /* array literal, NULL: all */
    bool is_others; /* the queues that no option names */
    bool is_calls;  /* task types of channels; else those that run in the database */
    int channel;    /* calls: of this channel alone, which has a rate; -1: of those without */
    char *types;    /* array literal of task types, NULL: none that we can serve now */
    struct queue_share *share;
    bool has_since;        /* all that was due at some time was found */
    int64_t since_ms;      /* that time */
    int64_t behind_due_ms; /* earliest time of the next look behind the tasks of full hosts */
    struct hints hints;
    char full_queues[4][64]; /* queues that filled the last claim */
    int full_count;
    int64_t fair_due_ms; /* earliest time of the next claim without them */
};

/* Calls that a channel may still make: a bucket that fills with time. */
struct rate {
    double tokens;
    int64_t filled_ms;
};

/* A queue as the database knows it. */
struct known_queue {
    char name[64];
    bool is_limited; /* over all workers: room appears when a task ends */
    int last_group;  /* that found something in it; -1: none yet */
    char last_priority[24];
    int misses;            /* weight of the latest direct claims that found nothing */
    int direct_claims_off; /* the next notifications that cause no direct claim */
};

/* The columns of a claim. */
enum claim_column {
    CLAIM_IDS,
    CLAIM_LEASES,
    CLAIM_PLACES,
    CLAIM_LAST_AT,
    CLAIM_TYPE,
    CLAIM_QUEUE,
    CLAIM_PRIORITY,
    CLAIM_MODE,
    CLAIM_TIMEOUT,
    CLAIM_CRASHES,
    CLAIM_ALONE,
    CLAIM_ADAPTER,
    CLAIM_DESTINATION,
    CLAIM_IS_RETRY,
    CLAIM_HAS_PARENT,
    CLAIM_MORE, /* of a direct claim: its lane has more */
};

/* A claim in flight, or the last one. */
struct claim {
    struct worker *worker;
    struct slot *slot; /* the work connection that makes it, NULL: the control connection */
    bool in_flight;
    int asked; /* its limit */
    int group; /* for which it is */
    enum reach reach;
    bool is_limited; /* it passes over hosts that are full */
    bool is_fair;    /* it leaves out the queues that filled the one before */
    bool is_beside;  /* another one was in flight with it, and may have held rows that it passed over */
    bool is_gone;    /* the last one found no function; one that was under way while functions changed may */
    int64_t sent_ms;
    int64_t boot_ms;               /* time of loop_boot_ms at which it was sent: its leases begin no earlier */
    int64_t not_before_ms;         /* of the second one: after an error, not again before this time */
    int64_t last_ids[BOUND_CLAIM]; /* the last task of each row that it brought */
};

struct claimer {
    struct claim first;    /* on the control connection, or a direct claim */
    struct claim second;   /* beside it in a backlog, made by a work connection that has nothing to do */
    char aim[64];          /* queue of the next direct claim; empty: none */
    char direct_queue[64]; /* queue of the last direct claim */
    int64_t direct_claims; /* made so far: the token of the next */
    int64_t calm_until_ms; /* no direct claims before this time */
    int64_t took_ms;       /* the last claim that brought database work */
    int64_t take_back_due_ms;
};

enum gate_state { GATE_OFF, GATE_OPEN, GATE_ASKED, GATE_HELD, GATE_LEAVING };

/* After a connection was lost, the leases that we hold are confirmed before anything new is claimed.  A failover
 * may have lost some of them together with their tasks, and may give their numbers to others. */
enum confirm_state { LEASES_CONFIRMED, LEASES_UNCONFIRMED, LEASES_ASKED };

struct worker {
    const struct worker_options *options;
    struct loop *loop;
    char id[40]; /* uuid */
    struct db_conn *control;
    struct db_conn *listener;
    struct db_conn *gate;
    struct slot *slots;
    bool is_started;  /* start_worker has been answered on this control connection */
    bool was_ready;   /* said once that we are ready */
    bool is_stopping; /* no new claims */
    bool is_hurried;  /* second signal, or the grace is over */
    bool is_done;
    bool has_warned_role;
    uint32_t refusals[BOUND_REFUSALS]; /* hashes of refusals that were told */
    int next_refusal;
    bool has_instance; /* the lock of the only instance is ours */
    bool has_reset;    /* what a predecessor held was freed */
    int stop_code;     /* exit code of an ordered stop */
    int exit_code;
    struct holdings holdings;   /* the tasks that we hold */
    int all_calls;              /* calls at once that the options and the limit of descriptors allow */
    int most_calls;             /* calls at once just now; fewer after a shortage */
    int64_t calls_at_ms;        /* 0: no shortage lately; until this time no call is claimed, then there are more of them */
    struct hosts hosts;         /* destinations of calls */
    struct rate_window answers; /* how fast calls end */
    int batches[SLOT_USES];     /* how many tasks go into one transaction, learnt */
    struct pace pace;
    bool is_slow_work;        /* the last database work that ended was too slow for a batch of two */
    struct timer *pace_timer; /* a batch may turn out to be slow */
    enum slot_use next_use;   /* who is asked first for the next free slot */
    struct agenda agenda;
    enum mood mood;           /* that the gate has followed */
    struct timer *look_timer; /* the next time at which the agenda has something to say */
    int64_t wake_ms;          /* what it is set to */
    struct claimer claimer;
    struct queue_group *groups;
    int group_count;
    struct queue_share *shares;
    char *types; /* array literal of all types that we serve */
    struct channel_set *channels;
    struct http_client *http;
    struct rate *rates;       /* one per channel */
    struct timer *room_timer; /* when a channel may make another call */
    int64_t room_at_ms;       /* what it is set to */
    int64_t renew_boot_ms;    /* time of loop_boot_ms at which the last renewal was sent */
    bool is_renewing;         /* the answer is still to come */
    bool must_renew;          /* again when it has */
    enum confirm_state confirm_state;
    bool is_cut_off;            /* there was no work connection at the last renewal */
    struct known_queue *queues; /* all queues, as the database knows them */
    int queue_count;
    enum gate_state gate_state;
    bool can_listen; /* notifications reach us */
    bool is_probing;
    struct timer *probe_timer;
    struct timer *lease_timer;
    struct timer *stop_timer;
    struct timer *deferred_timer;
    struct timer *alive_timer, *sweep_timer, *prune_timer, *seal_timer, *watchdog_timer;
    char *last_unserved; /* types that nobody serves, as last warned */
    int64_t unserved_warned_ms;
    int64_t tasks_done;
    int pending_stop; /* units of the stop sequence in flight */
};

/* look.c */
void look_at_all(struct worker *worker);
void look_again(struct worker *worker); /* the same, and at the front soon: what is new may be dated back */
void look_at_group(struct worker *worker, int group);
void look_at_queue(struct worker *worker, const char *queue);  /* we were notified of it; no direct claim */
void look_on_notice(struct worker *worker, const char *queue); /* told of it by a notification */
void look_soon(struct worker *worker);                         /* at all groups */
void look_ahead(struct worker *worker);                        /* after every pass: timer and gate */
void look_on_timer(void *worker);
bool look_is_asleep(const struct worker *worker);
struct agenda_rooms look_rooms(struct worker *worker);

/* room.c */
int room_for(struct worker *worker, const struct queue_group *group);
int room_now(struct worker *worker, const struct queue_group *group); /* 0 as well if it is worth to wait for more */
void room_later(struct worker *worker, int64_t wait_ms);              /* look for calls after this time, or earlier */
int room_ahead(struct worker *worker);                                /* calls to claim ahead */
void room_on_timer(void *worker);
void room_set_calls(struct worker *worker, int most); /* so many calls at once */
void room_on_shortage(struct worker *worker);         /* a call got no descriptor, port or memory */

/* claim.c */
bool claim_is_in_flight(const struct worker *worker);
void claim_failed(struct claim *claim, const struct err *err);
void claim_if_wanted(struct worker *worker);

/* direct_claim.c */
bool direct_claim_aim(struct worker *worker, const char *queue); /* false: nothing is known of it */
bool direct_claim_send(struct worker *worker);                   /* false: not possible just now */
void direct_claim_on_loss(struct worker *worker);                /* of a work connection */
void direct_claim_on_return(struct worker *worker);              /* or its first coming */

/* claimed.c */
bool claimed_fits(const struct claim *claim, const struct db_result *result, struct err *err);
int claimed_take(struct claim *claim, const struct db_result *result); /* how many tasks it brought */

/* settings.c */
void settings_take(struct worker *worker, const struct db_result *result);
struct known_queue *settings_queue(const struct worker *worker, const char *name); /* NULL: not known */

/* slot.c */
void slots_fill(struct worker *worker);
void slots_interrupt(struct worker *worker, const struct task *task);
bool slots_are_free(const struct worker *worker);
int slots_up(const struct worker *worker);
void slots_pace(struct worker *worker);
int slots_for_quick(const struct worker *worker); /* connections that may run quick batches */
void slots_cancel(struct worker *worker);
struct task *slot_first(const struct list *list);
struct task *slot_find(const struct slot *slot, int64_t id);

/* Does an answer speak of our tasks, of each at most once, or exactly once?  If not, `err` is for who expected it. */
bool slot_fits(struct slot *slot, const struct db_result *result, bool has_all, struct err *err);
bool slot_is_free(const struct slot *slot);
bool slot_may_claim(const struct slot *slot); /* it is free, and its session is as it should be */
void slot_plan_again(struct slot *slot);
void slot_take(struct slot *slot, struct task *task, enum task_event event); /* it carries the task from now on */
void slot_clear(struct slot *slot);
void slot_learn(struct slot *slot, int done, double took_us, int most);

/* run_function.c */
void run_functions(struct slot *slot);
void run_send(struct slot *slot);
void run_executed(void *slot, const struct db_result *result, const struct err *err);
void run_not_reached(struct slot *slot);
void run_failed(struct slot *slot, const struct err *err, bool is_at_commit);
int run_capacity(const struct worker *worker);
bool run_is_passing(const char *code);
/* "timed out after ..." or "cancelled by a database user", of a statement of this slot that ended
 * with 57014 and not by our wish.  Free it. */
char *run_why_cancelled(const struct slot *slot, const char *message, int64_t timeout_ms);
bool run_is_servers_fault(const char *code, bool is_at_commit);

/* run_command.c */
void run_prepare(struct slot *slot);

/* run_channel.c */
void channels_begin(struct slot *slot);
bool channels_have_room(struct worker *worker);
void channels_call(struct worker *worker); /* as many of those announced as may be called now */
void channels_end_calls(struct worker *worker);
void channels_leave_host(struct task *task, const char *error_class);
bool channels_may_send(void *cookie); /* a task's own clock: is the lease certainly ours? */

/* finish.c */
void finish_later(struct task *task, const char *outcome, char *result, char *error, const char *error_class);
/* The same for database work that ended with an error.  Takes the text. */
void finish_run_later(struct task *task, const char *outcome, char *error, const char *sqlstate);
void finish_say(const struct task *task, const char *outcome, bool has_error);
void finish_send(struct slot *slot);

/* lease.c */
void lease_start(struct worker *worker);
void lease_renew(struct worker *worker);
void lease_doubt(struct worker *worker);         /* a connection was lost */
bool lease_all_confirmed(struct worker *worker); /* false: asks */
void lease_release_waiting(struct worker *worker);
void lease_release_surplus(struct worker *worker);
void lease_release_last(struct worker *worker, int count); /* of those that wait */
void lease_end(struct worker *worker, struct task *task, enum task_event event);
void lease_release(struct worker *worker, struct task *task, int64_t delay_ms);
void lease_defer(struct worker *worker, struct task *task);
void lease_call_over(struct worker *worker, const struct task *task); /* another call may begin */
int lease_calls_over(struct worker *worker);                          /* how many ended lately */

/* instance.c */
bool instance_may_claim(const struct worker *worker);
bool instance_on_control(struct worker *worker);
void instance_on_started(struct worker *worker);
void instance_on_probe(struct worker *worker, bool was_heard);
void instance_on_control_lost(struct worker *worker);

/* gate.c */
void gate_on_idle(struct worker *worker);
void gate_on_busy(struct worker *worker);
void gate_connect(struct worker *worker);
void gate_probe(struct worker *worker);

/* upkeep.c */
void upkeep_start(struct worker *worker);
void upkeep_stop(struct worker *worker);

/* worker.c */
void worker_settings_ask(struct worker *worker);
void worker_introduce(struct worker *worker);
void worker_stop(struct worker *worker, int exit_code);

/* A worker on a loop that others may share: it begins to connect.  After each pass of the loop comes worker_pass; when it
 * has ended, it has called loop_stop.  `calls`: how many at once there are descriptors for. */
struct worker *worker_new(struct loop *loop, const struct worker_options *options, int calls) NODISCARD;
void worker_pass(void *worker);
void worker_on_stop_signal(void *worker, int number);
void worker_on_hup(void *worker, int number);
void worker_on_usr1(void *worker, int number);
void worker_free(struct worker *worker); /* the loop runs once more after this, or is freed */

#endif
