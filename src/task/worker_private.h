/*
 * The parts of a worker and what they know of each other.  Each part is one file:
 *
 *   worker.c        connections, start, stop, one pass of the loop
 *   claim.c         how many to take, from where, and when
 *   run_function.c  slots: a batch of tasks on a work connection, and what came of it
 *   lease.c         renewing, releasing
 *   gate.c          being woken: listening, and telling enqueuers that we sleep
 *   upkeep.c        sign of life, sweep, retention
 */
#ifndef TASK_WORKER_PRIVATE_H
#define TASK_WORKER_PRIVATE_H

#include "base/bounds.h"
#include "base/buf.h"
#include "base/list.h"
#include "base/log.h"
#include "db/db_conn.h"
#include "loop/loop.h"
#include "task/task.h"
#include "task/worker.h"

struct worker;

/* A work connection and the tasks whose transaction it carries. */
struct slot {
    struct worker *worker;
    struct db_conn *conn;
    struct list tasks; /* in the order sent; empty: free */
    int count;
    int64_t sent_ms;   /* when the unit was sent */
    bool is_cancelled; /* we asked the server to cancel it */
    bool is_report;    /* carries finish, not execute */
};

/* Queues that are claimed together, with a limit of their own if they have one. */
struct queue_group {
    char *queues;            /* array literal, NULL: all */
    int concurrency;         /* 0: no limit of its own */
    int held;                /* tasks that we hold for it */
    bool looks_empty;        /* the last claim found less than asked */
    bool is_empty;           /* and that claim was from the very front */
    bool was_short;          /* the last claim, from its hints, found less than asked */
    int64_t front_due_ms;    /* from then on the front may be looked at, if little is found */
    int64_t front_forced_ms; /* from then on it must be */
};

/* A queue as the database knows it. */
struct known_queue {
    char name[64];
    bool is_limited; /* over all workers: room appears when a task ends */
};

/* Where the last claim was, per queue and priority. */
struct claim_hint {
    char queue[64];
    char priority[24];
    char at[48];
};

struct claimer {
    bool in_flight;
    int asked;       /* limit of the claim in flight */
    int group;       /* group of the claim in flight, then the next to ask */
    bool from_front; /* the claim in flight had no hints */
    bool is_fair;    /* the claim in flight leaves out the queues that filled the last one */
    bool must_look;  /* something says: look now */
    int64_t sent_ms;
    int64_t take_back_due_ms;
    int64_t fair_due_ms;
    int64_t not_before_ms; /* after an error */
    struct claim_hint hints[BOUND_HINTS];
    int hint_count;
    char full_queues[4][64]; /* queues that filled the last claim */
    int full_count;
    bool is_asking_due; /* next_due is in flight */
    int64_t look_at_ms; /* idle: when to look even if nobody calls */
};

enum gate_state { GATE_OFF, GATE_OPEN, GATE_ASKED, GATE_HELD, GATE_LEAVING };

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
    int exit_code;
    struct list held;
    struct list waiting;
    int held_count;
    int suspects;   /* held tasks that have killed holders before */
    double task_ms; /* moving average of one task's time */
    int batch;      /* tasks in one transaction, from task_ms */
    struct claimer claimer;
    struct queue_group *groups;
    int group_count;
    char *types;                /* array literal of types that we can run */
    struct known_queue *queues; /* all queues, as the database knows them */
    int queue_count;
    enum gate_state gate_state;
    bool is_idle;    /* nothing was due when we last looked */
    bool can_listen; /* notifications reach us */
    bool is_probing;
    struct timer *probe_timer;
    struct timer *poll_timer;
    struct timer *lease_timer;
    struct timer *stop_timer;
    struct timer *deferred_timer;
    struct timer *alive_timer, *sweep_timer, *prune_timer, *watchdog_timer;
    char *last_unserved; /* types that nobody serves, as last warned */
    int64_t unserved_warned_ms;
    int64_t tasks_done;
    int64_t idle_since_ms;
    int pending_stop; /* units of the stop sequence in flight */
};

/* claim.c */
void claim_look(struct worker *worker);
void claim_on_timer(struct worker *worker);
void claim_if_wanted(struct worker *worker);
void claim_on_queues(struct worker *worker, const struct db_result *result);

/* run_function.c */
void run_fill_slots(struct worker *worker);
void run_cancel_all(struct worker *worker);
bool run_is_idle(const struct worker *worker);
int run_capacity(const struct worker *worker);

/* lease.c */
void lease_start(struct worker *worker);
void lease_release_waiting(struct worker *worker);
void lease_release_surplus(struct worker *worker);
void lease_end(struct worker *worker, struct task *task, enum task_event event);
void lease_release(struct worker *worker, struct task *task, int64_t delay_ms);

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

#endif
