/*
 * The parts of a worker, and the functions that they offer to each other.  Each part is one file:
 *
 *   process.c       the process around the worker: loop, signals, file descriptors
 *   worker.c        connections, start, stop, one pass of the loop
 *   agenda.c        when to look for work, with which reach, and when to sleep: decisions only
 *   look.c          passes events to the agenda and carries out its decisions
 *   room.c          the number of tasks that a group may take
 *   claim.c         claims: their reach, and the effects of their answers
 *   fill.c          which free connection does what
 *   direct_claim.c  a work connection claims one task and runs it, in one round trip
 *   rate_window.c   counts of recent events
 *   hints.c         the positions at which the next claims begin
 *   claimed.c       the tasks that a claim brought
 *   settings.c      queues and types as the database knows them
 *   slot.c          work connections: the use of the next free one, and the size of its batch
 *   pace.c          the number of work connections that run quick batches at once
 *   host.c          limits of the destinations of calls
 *   run_function.c  database work: a batch of tasks in one transaction
 *   run_command.c   commands: the step before their handler
 *   run_channel.c   outside work: announce, call the provider, take the outcome
 *   run_carried.c   outside work that a carrier on this machine carries out
 *   finish.c        outcomes that are still to be recorded; repeated until answered
 *   lease.c         renewing and releasing leases
 *   instance.c      one instance at a time, if the option asks for it
 *   gate.c          waking up: listening, and showing enqueuers that the worker sleeps
 *   schedules.c     fires schedules when they are due
 *   upkeep.c        sign of life, sweep, retention, throughput
 *   count.c         figures of the work, if somebody reads them
 *   health.c        probes of the database, and what they say about the worker
 *   traces.c        ended leases, and the question which of them are traced
 *   lease_trace.c   the times and the spans of a lease
 */
#ifndef TASK_WORKER_PRIVATE_H
#define TASK_WORKER_PRIVATE_H

#include "base/bounds.h"
#include "base/buf.h"
#include "base/list.h"
#include "base/log.h"
#include "channel/carrier.h"
#include "channel/channel.h"
#include "db/db_conn.h"
#include "db/db_probe.h"
#include "http/http_client.h"
#include "loop/loop.h"
#include "metrics/metrics.h"
#include "task/agenda.h"
#include "task/hints.h"
#include "task/host.h"
#include "task/pace.h"
#include "base/exit.h"
#include "db/sqlstate.h"
#include "task/rate_window.h"
#include "task/task.h"
#include "task/worker.h"
#include "trace/trace.h"

struct traces;
struct worker;

/* Uses of a work connection: record outcomes, announce calls, run database work. */
enum slot_use { SLOT_FINISH, SLOT_ANNOUNCE, SLOT_EXECUTE, SLOT_USES };

/* A work connection and the tasks whose transaction it carries. */
struct slot {
    struct worker *worker;
    struct db_conn *conn;
    struct list tasks; /* tasks in the order sent; empty: the slot is free */
    int count;         /* tasks in the list */
    enum slot_use use;
    int64_t sent_ms;   /* time at which the unit was sent */
    int64_t boot_ms;   /* the same time for an announcement, as time of loop_boot_ms */
    int64_t carried;   /* tasks carried since the connection was made */
    int64_t plan_at;   /* value of `carried` at which the statements are planned again */
    bool is_cold;      /* the statements are planned in this unit */
    bool is_warm;      /* the server has answered since the connection was made */
    bool is_cancelled; /* the worker asked the server to cancel the unit */
    bool was_up;       /* the connection was up, and the worker has not ended it */
    bool is_missed;    /* the log says that the connection is lost */
    bool is_pruning;   /* the connection carries upkeep */
    bool is_holder;    /* the session may claim */
    bool is_claiming;  /* the connection carries a claim: a direct one, or the second one of a backlog */
    bool must_reset;   /* the session is spoilt, or a cancel request may still arrive: connect anew before other work */
};

/* Queues and task types that are claimed together: database work, or calls. */
struct queue_group {
    char *queues;   /* array literal, owned; NULL: all queues */
    bool is_others; /* the group serves the queues that no option names */
    bool is_calls;  /* true: task types of channels; false: task types that run in the database */
    int channel;    /* index of the one channel that the group serves, which has a rate; -1: channels without a rate */
    char *types;    /* array literal of task types, owned; NULL: none that the worker can serve now */
    struct queue_limit *queue_limit; /* limit of the queues of this group; belongs to the worker */
    bool has_since;                  /* since_ms is known */
    int64_t since_ms;                /* every task that was due at this time was found */
    int64_t behind_due_ms;           /* earliest time of the next look behind the tasks of full hosts */
    struct hints hints;
    char full_queues[4][64]; /* queues that filled the last claim */
    int full_count;          /* number of full_queues */
    int64_t fair_due_ms;     /* earliest time of the next claim without full_queues */
};

/* Calls that a channel may make now: a bucket that fills with time. */
struct rate {
    double tokens;     /* calls */
    int64_t filled_ms; /* time at which `tokens` was computed */
};

/* A queue as the database knows it. */
struct known_queue {
    char name[64];
    bool is_limited;        /* the queue has a limit over all workers: it may have room when a task ends */
    int last_group;         /* group that last found a task in this queue; -1: none yet */
    char last_priority[24]; /* priority of the task that was found last */
    int misses;             /* weight of the latest direct claims that found nothing */
    int direct_claims_off;  /* number of notifications to come that cause no direct claim */
};

/* The columns of a claim. */
enum claim_column {
    CLAIM_IDS,
    CLAIM_LEASES,
    CLAIM_POSITIONS,
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
    CLAIM_FIRST_WAIT, /* how long the oldest task of the row has been due, in seconds */
    CLAIM_LAST_WAIT,  /* the same of the newest */
    CLAIM_MORE,       /* direct claims only: the lane has more tasks */
};

/* A claim in flight, or the last one. */
struct claim {
    struct worker *worker;
    struct slot *slot; /* work connection that makes the claim; NULL: the control connection */
    bool in_flight;
    int asked; /* limit, in tasks */
    int group; /* index of the group that the claim is for */
    enum reach reach;
    bool is_limited;               /* the claim passes over hosts that are full */
    int other_room;                /* limit of each destination that the claim does not name, in calls */
    bool is_fair;                  /* the claim leaves out the queues that filled the claim before */
    bool is_beside;                /* another claim was in flight, and may have locked rows that this claim passed over */
    bool is_gone;                  /* the last claim found no function, which may happen once while functions change */
    int64_t sent_ms;               /* time at which the claim was sent */
    int64_t boot_ms;               /* the same as time of loop_boot_ms: the leases begin no earlier */
    int64_t not_before_ms;         /* second claim only: after an error, no second claim before this time */
    int64_t last_ids[BOUND_CLAIM]; /* id of the last task in each row of the answer */
};

struct claimer {
    struct claim first;       /* claim on the control connection, or direct claim */
    struct claim second;      /* claim of a free work connection beside the first one, in a backlog */
    char aim[64];             /* queue of the next direct claim; empty: none */
    char direct_queue[64];    /* queue of the last direct claim */
    int64_t direct_claims;    /* direct claims made so far: token of the next one */
    int64_t calm_until_ms;    /* no direct claims before this time */
    int64_t took_ms;          /* duration of the last claim that brought database work */
    int64_t take_back_due_ms; /* earliest time of the next claim that takes back leases that ran out */
};

/* Place of this worker at the gate, as its last answer said. */
enum gate_state {
    GATE_OFF,      /* no connection */
    GATE_OPEN,     /* this worker asks for no notifications */
    GATE_WAITED,   /* enqueuers that notify nobody are still open; the worker asks again at once */
    GATE_FOLLOWED, /* another worker holds the gate, and enqueuers notify */
    GATE_HELD,     /* this worker holds the gate, and enqueuers notify */
    GATE_LEAVING,  /* this worker has asked to leave */
};

/* After a connection was lost, the worker confirms its leases before it claims new tasks.  A failover may have lost some
 * leases together with their tasks, and other tasks may get the same ids. */
enum confirm_state { LEASES_CONFIRMED, LEASES_UNCONFIRMED, LEASES_ASKED };

/* What the worker knows about its own health; kept only if the figures of the worker are exported. */
struct health {
    struct timer *timer;   /* time of the next probe */
    struct db_probe probe; /* evidence that the database answers */
    bool is_asking;        /* a question for overdue tasks is in flight */
    int64_t asked_ms;      /* time of the last question for overdue tasks */
    int64_t due_since_ms;  /* time since which a task that the worker could claim is due; 0: none is */
    int64_t started_ms;    /* time at which the worker last started a task; at first, its own start */
};

struct worker {
    const struct worker_options *options;
    struct metrics *metrics; /* figures of the work; NULL: nobody reads them */
    struct health health;
    struct traces *traces; /* spans of ended leases; NULL: the worker exports no traces */
    struct loop *loop;
    char id[40]; /* uuid */
    struct db_conn *control;
    struct db_conn *listener;
    struct db_conn *gate;
    struct slot *slots;
    bool is_started;  /* start_worker has been answered on this control connection */
    bool was_ready;   /* the log says that the worker is ready */
    bool is_stopping; /* no new claims */
    bool is_hurried;  /* a second signal has come, or the grace is over */
    bool is_done;
    bool has_warned_role;
    uint32_t refusals[BOUND_REFUSALS]; /* hashes of refusals that were logged as warnings */
    int next_refusal;                  /* index of the next entry to replace */
    bool has_instance;                 /* this worker holds the lock of the only instance */
    bool has_reset;                    /* the tasks of a dead predecessor were freed */
    int stop_code;                     /* exit code of an ordered stop */
    int exit_code;
    struct holdings holdings;   /* tasks that this worker holds */
    int all_calls;              /* calls at once that the options and the limit of file descriptors allow */
    int most_calls;             /* calls at once that are allowed now; fewer after a shortage */
    int64_t calls_at_ms;        /* after a shortage: no call is claimed before this time, then more step by step; 0: none */
    struct hosts hosts;         /* destinations of calls */
    struct rate_window answers; /* calls that ended lately */
    int batches[SLOT_USES];     /* learnt size of a batch, in tasks */
    struct pace pace;
    bool is_slow_work;        /* the last database work that ended was too slow for a batch of two */
    struct timer *pace_timer; /* time at which a batch may count as slow */
    enum slot_use next_use;   /* use that comes first for the next free slot */
    struct agenda agenda;
    enum mood mood;           /* mood that the gate has followed */
    struct timer *look_timer; /* time at which the agenda has its next decision */
    int64_t wake_ms;          /* time that look_timer is set to */
    struct claimer claimer;
    struct queue_group *groups;
    int group_count;
    struct queue_limit *queue_limits; /* one for each queue with a limit of its own, then one for the other queues; owned */
    char *types;                      /* array literal of all types that the worker serves; owned; NULL: none */
    char *carried_types;              /* the same, as the carrier named them; owned; NULL: not known, or no carrier */
    struct channel_set *channels;
    struct http_client *http;
    struct rate *rates;       /* one per channel */
    struct timer *room_timer; /* time at which a channel may make another call */
    int64_t room_at_ms;       /* time that room_timer is set to */
    int64_t renew_boot_ms;    /* time of loop_boot_ms at which the last renewal was sent */
    bool is_renewing;         /* a renewal is in flight */
    bool must_renew;          /* send another renewal after the answer */
    enum confirm_state confirm_state;
    bool is_cut_off;            /* at the last renewal no work connection was up */
    struct known_queue *queues; /* all queues, as the database knows them */
    int queue_count;
    enum gate_state gate_state;
    bool is_gate_asked;       /* a statement on the gate is not answered yet */
    bool was_gate_left;       /* since it was sent, the holder has left */
    struct timer *gate_timer; /* FOLLOWED: time of the next question; HELD and busy: time of the next try to leave */
    int64_t leave_ms;         /* HELD and busy: time until the next try to leave */
    bool can_listen;          /* notifications reach this worker */
    bool is_probing;
    struct timer *probe_timer;
    struct timer *lease_timer;
    struct timer *stop_timer;
    struct timer *deferred_timer;
    struct timer *schedule_timer; /* time of the next decision about a schedule */
    int64_t fired_ms;             /* time of the last call of queues.fire_due */
    bool is_firing;               /* a call of queues.fire_due is under way */
    bool must_fire;               /* a schedule was changed, or the connection is new: call as soon as possible */
    struct timer *alive_timer, *sweep_timer, *prune_timer, *seal_timer, *watchdog_timer;
    bool must_roll_up;       /* the next free work connection adds up the throughput of the last minutes */
    int64_t control_lost_ms; /* time at which the control connection was lost; 0: it was not */
    int work_lost;           /* work connections that were lost and are not back */
    int64_t work_lost_ms;    /* time at which the first of these was lost */
    char *last_unserved;     /* types without a live worker in the last warning; owned; NULL: none */
    int64_t unserved_warned_ms;
    int64_t tasks_done;
    int pending_stop; /* units of the stop sequence in flight */

    /* Set by worker_new; the gate reports to them. */
    void (*on_probe)(struct worker *worker, bool can_listen); /* behind a proxy: whether notifications arrive */
    void (*on_settings)(struct worker *worker);               /* queues or types have changed */
};

static inline bool
claim_is_in_flight(const struct worker *worker)
{
    return worker->claimer.first.in_flight || worker->claimer.second.in_flight;
}

/* Is it a call of the carrier? */
static inline bool
carried_is(const struct task *task)
{
    return task->worker->options->carrier != NULL && channel_is_carried(task->channel);
}

/* look.c */
void look_at_all(struct worker *worker);
void look_again(struct worker *worker); /* the same, and from the front soon: a new task may be dated back */
void look_at_group(struct worker *worker, int group);
void look_at_queue(struct worker *worker, const char *queue);  /* the queue may have work; make no direct claim */
void look_on_notice(struct worker *worker, const char *queue); /* a notification names the queue */
void look_soon(struct worker *worker);                         /* look at all groups soon */
void look_ahead(struct worker *worker);                        /* after every pass: set the timer and the gate */
void look_on_timer(void *worker);
bool look_is_asleep(const struct worker *worker);
struct agenda_rooms look_rooms(struct worker *worker);

/* room.c */
/* Number of tasks that the group may take, at most BOUND_CLAIM; 0 or less: none. */
int room_for(struct worker *worker, const struct queue_group *group);
int room_now(struct worker *worker, const struct queue_group *group); /* 0 also if it is better to wait for more room */
void room_later(struct worker *worker, int64_t wait_ms);              /* look for calls at the latest after wait_ms */
int room_ahead(struct worker *worker);                                /* number of calls to claim ahead */
void room_on_timer(void *worker);
void room_set_calls(struct worker *worker, int most); /* allow `most` calls at once */
void room_on_shortage(struct worker *worker);         /* a call got no descriptor, port or memory */
int room_capacity(const struct worker *worker);       /* most tasks of database work to hold */
/* The call is over, or will not be made.  error_class: see hosts_give_back. */
void room_leave_host(struct task *task, const char *error_class);

/* claim.c */
void claim_failed(struct claim *claim, const struct err *err);
void claim_if_wanted(struct worker *worker);

/* direct_claim.c */
bool direct_claim_send(struct worker *worker);      /* false: not possible now */
void direct_claim_on_loss(struct worker *worker);   /* a work connection was lost */
void direct_claim_on_return(struct worker *worker); /* a work connection is up, again or for the first time */

/* claimed.c */
/* Is the answer complete, in an order, and for known channels?  False: `err` says so. */
bool claimed_fits(const struct claim *claim, const struct db_result *result, struct err *err);
int claimed_take(struct claim *claim, const struct db_result *result); /* returns the number of tasks */

/* settings.c */
void settings_take(struct worker *worker, const struct db_result *result);         /* the answer to STATEMENT_SETTINGS; copied */
struct known_queue *settings_queue(const struct worker *worker, const char *name); /* NULL: the queue is not known */
/* The lane in which the queue last had work.  NULL: no direct claim is possible there. */
const struct hint *settings_lane(const struct worker *worker, const struct known_queue *queue);

/* fill.c */
void slots_fill(struct worker *worker);

/* slot.c */
void slots_interrupt(struct worker *worker, const struct task *task);
bool slots_are_free(const struct worker *worker); /* true: all are free */
int slots_up(const struct worker *worker);        /* number of work connections that are up */
void slots_pace(struct worker *worker);           /* measure anew: the next backlog may be different */
int slots_for_quick(const struct worker *worker); /* connections that may run quick batches */
void slots_cancel(struct worker *worker);
struct task *slot_first(const struct list *list);            /* the list must not be empty */
struct task *slot_find(const struct slot *slot, int64_t id); /* NULL: the slot does not carry this task */

/* Does an answer name only tasks of this slot, each at most once, or with has_all exactly once?  False: `err` says so, and the
 * session is reset before other work. */
bool slot_fits(struct slot *slot, const struct db_result *result, bool has_all, struct err *err);
bool slot_is_free(const struct slot *slot);
bool slot_may_claim(const struct slot *slot); /* the slot is free, and its session may claim */
void slot_plan_again(struct slot *slot);
void slot_take(struct slot *slot, struct task *task, enum task_event event); /* the slot carries the task from now on */
void slot_clear(struct slot *slot); /* the slot is free; its tasks must be in other lists by now */
/* Learns the size of the next batch from this one: `done` tasks in took_us microseconds.  The size stays at most `most`. */
void slot_learn(struct slot *slot, int done, double took_us, int most);

/* run_function.c */
void run_functions(struct slot *slot);
void run_send(struct slot *slot);
void run_executed(void *slot, const struct db_result *result, const struct err *err);
void run_not_reached(struct slot *slot);
void run_failed(struct slot *slot, const struct err *err, bool is_at_commit);
/* "timed out after ..." or "cancelled by a database user", for a statement of this slot that ended with 57014 and that the
 * worker did not cancel.  timeout_ms 0: the statement had none.  The caller frees the text. */
char *run_why_cancelled(const struct slot *slot, const char *message, int64_t timeout_ms);

/* run_command.c */
void run_prepare(struct slot *slot);

/* run_channel.c */
void channels_announce(struct slot *slot);
bool channels_have_room(struct worker *worker);
void channels_announced(void *slot, const struct db_result *result, const struct err *err);
void channels_call(struct worker *worker); /* start as many announced calls as may start now */
void channels_end_calls(struct worker *worker);
bool channels_may_send(void *task); /* by the clock of this machine: does the worker certainly hold the lease? */

/* run_carried.c */
void carried_begin(struct worker *worker);
/* The call of this task is announced.  The texts are copied; NULL: empty, or no trace. */
void carried_announced(struct task *task, const char *payload, const char *key, int attempt, const char *traceparent);
void carried_call(struct worker *worker); /* hand over as many announced calls as there are places */
void carried_request_free(struct carried_request *request);

/* finish.c */
/* The task has this outcome, which is recorded later.  Takes ownership of `result` and `error`; NULL: none.  `outcome` and
 * error_class are static texts; error_class NULL: no error. */
void finish_later(struct task *task, const char *outcome, char *result, char *error, const char *error_class);
/* The same for database work that ended with an error.  Takes ownership of `error`; `sqlstate` is copied. */
void finish_run_later(struct task *task, const char *outcome, char *error, const char *sqlstate);
/* A recorded end, for the log.  The texts are valid during the call. */
struct end {
    const char *outcome;
    bool has_error;          /* the end is logged as a failure, whatever its outcome */
    const char *name;        /* command or function; NULL: none */
    const char *error_class; /* SQLSTATE, or class of a call; NULL: none */
    const char *error;       /* first line of the error, without data of the user; NULL: none */
};
void finish_say(const struct task *task, const struct end *end); /* logs and counts it */

/* Logs and counts a quarantine that a claim of this worker recorded, of a task whose workers died.  words: the task as the
 * database describes it, with the keys of the log. */
void finish_say_dead(struct worker *worker, const char *words, const char *message);
void finish_send(struct slot *slot);

/* lease.c */
void lease_start(struct worker *worker);
void lease_renew(struct worker *worker);
void lease_doubt(struct worker *worker);         /* a connection was lost */
bool lease_all_confirmed(struct worker *worker); /* false: not yet, and a renewal asks the database */
void lease_release_waiting(struct worker *worker);
void lease_release_surplus(struct worker *worker);
void lease_release_last(struct worker *worker, int count); /* release the last `count` waiting tasks */
/* The worker does not hold the lease any more.  Frees the task. */
void lease_end(struct worker *worker, struct task *task, enum task_event event);
/* Gives the lease back, so that the task is due in delay_ms milliseconds, and frees the task. */
void lease_release(struct worker *worker, struct task *task, int64_t delay_ms);
void lease_defer(struct worker *worker, struct task *task);           /* run the task again after BOUND_BUSY_RETRY_MS */
void lease_call_over(struct worker *worker, const struct task *task); /* a call has ended, so another may begin */
int lease_calls_over(struct worker *worker);                          /* number of calls that ended lately */

/* instance.c */
bool instance_may_claim(const struct worker *worker); /* false: the worker lacks the lock of the only instance */
/* The control connection is up.  True: the worker introduces itself only when it holds the lock. */
bool instance_on_control(struct worker *worker);
void instance_on_started(struct worker *worker);
void instance_on_probe(struct worker *worker, bool was_heard);
void instance_on_control_lost(struct worker *worker);

/* gate.c */
void gate_on_idle(struct worker *worker);
void gate_on_busy(struct worker *worker);
void gate_on_stop(struct worker *worker);
bool gate_is_notified(const struct worker *worker); /* do enqueuers notify this worker of new tasks? */
void gate_connect(struct worker *worker);
void gate_probe(struct worker *worker);

/* schedules.c: fires schedules when they are due.  schedules_look: there may be a new time; also after each start of the control
 * connection. */
void schedules_start(struct worker *worker);
void schedules_look(struct worker *worker);
void schedules_stop(struct worker *worker);

/* upkeep.c */
void upkeep_start(struct worker *worker);
void upkeep_stop(struct worker *worker);
void upkeep_tell_soon(struct worker *worker); /* a closed host was added or removed: the next sign of life comes soon */

bool upkeep_use(struct slot *slot); /* false: there is no upkeep for a free work connection */

/* count.c: all do nothing if nobody reads the figures */
void count_start(const struct task *task);
void count_completed(const struct task *task, const char *outcome);
void count_retried(const struct task *task);
void count_handler_failed(const struct task *task);
void count_run(const struct slot *slot, int done, double took_us); /* `done` tasks of the slot took so long together */
void count_call(const struct task *task, const char *outcome);
void count_claim(const struct claim *claim, const struct db_result *result, int tasks);
void count_lease(const struct task *task, enum task_event event); /* the lease ended like this */

/* health.c */
void health_start(struct worker *worker);
void health_stop(struct worker *worker);

/* traces.c, lease_trace.c: all do nothing if the worker exports no traces */
void traces_start(struct worker *worker);
void traces_stop(struct worker *worker);
void traces_pass(struct worker *worker);                /* after every pass: ask about ended leases */
bool traces_are_out(struct worker *worker);             /* the worker stops: has it sent its last spans? */
int64_t traces_now_us(const struct worker *worker);     /* the time for traces_claimed */
void traces_claimed(struct task *task, int64_t now_us); /* a claim brought the task */
void traces_sent(const struct slot *slot, const struct task *task, enum task_event event); /* the slot carries the task now */
void traces_prepared(const struct task *task);                      /* the announcement or the before step has ended */
void traces_ran(const struct slot *slot, int done, double took_us); /* `done` tasks of the slot ran so long together */
void traces_called(const struct task *task);                        /* the call begins */
void traces_answered(const struct task *task);                      /* the call, or a run that failed, has ended */
void traces_ended(struct task *task, enum task_event event);        /* the lease ended like this */
/* The lease ends like this, with an error if has_failed; error_class NULL: none.  The texts are copied. */
void traces_say(const struct task *task, const char *outcome, const char *error_class, bool has_failed);
/* The traceparent that a call takes to the outside, or NULL: none.  traceparent: what the database has, or NULL.  The result is
 * one of the two texts that are passed. */
const char *traces_parent(const struct task *task, const char *traceparent, char ret_parent[TRACE_PARENT_SIZE]);

/* worker.c */
void worker_settings_ask(struct worker *worker);
void worker_introduce(struct worker *worker);
void worker_stop(struct worker *worker, int exit_code); /* starts an ordered stop without a signal */

/* Makes a worker on a loop that others may share, and begins to connect; worker_free frees it.  `options` must outlive it.  The
 * caller calls worker_pass after each pass of the loop.  When the worker has ended, it has called loop_stop.  `calls`: calls at
 * once for which there are file descriptors. */
struct worker *worker_new(struct loop *loop, const struct worker_options *options, int calls) NODISCARD;
void worker_pass(void *worker);
void worker_on_stop_signal(void *worker, int number);
void worker_on_hup(void *worker, int number);
void worker_forget_calls(
    struct worker *worker); /* the loop has ended: calls under way are forgotten with their tasks, and end soon */
void worker_on_usr1(void *worker, int number);
void worker_free(struct worker *worker); /* afterwards the caller runs the loop once more, or frees it */

#endif
