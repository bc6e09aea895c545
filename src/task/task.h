/*
 * A task of which this worker holds the lease: from the claim until its end is recorded, or until the lease is given back or
 * lost.  The payload of database work never leaves the database.
 *
 * The state of a task determines its list and its count.  One function, task_move, changes all three together by one table.
 */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

/* TASK_RUNS: the work is done in the database.  TASK_CALLS: the work is a call to the outside. */
enum task_kind { TASK_RUNS, TASK_CALLS, TASK_KINDS };

/* States; the table in task.c says how they follow each other. */
enum task_state {
    TASK_WAITING,    /* leased, not yet sent */
    TASK_RUNNING,    /* its transaction is under way on a work connection */
    TASK_ANNOUNCING, /* its dispatch is being announced; the before handler runs */
    TASK_ANNOUNCED,  /* its dispatch is a fact; the task waits for a place among the calls */
    TASK_CALLING,    /* its provider is being called */
    TASK_ANSWERED,   /* its outcome is known, not yet sent */
    TASK_REPORTING,  /* its outcome is being recorded */
    TASK_DEFERRED,   /* another session still holds a row; the task is run again later */
    TASK_POSTPONED,  /* its outcome could not be recorded, and is sent again later */
    TASK_DONE,       /* its end is a fact, or the worker does not hold the lease any more */
    TASK_STATES,
};

/* Events that move a task. */
enum task_event {
    EVENT_SENT,          /* execute was sent */
    EVENT_COMMITTED,     /* the end is recorded */
    EVENT_NOT_REACHED,   /* the batch stopped before this task */
    EVENT_INTERRUPTED,   /* the connection was lost; the result is not known, so the worker asks again */
    EVENT_PREPARED,      /* the before step of a command is committed */
    EVENT_BUSY,          /* a row is locked by another session */
    EVENT_RETRY_DUE,     /* the time to ask again has come */
    EVENT_ANNOUNCE_SENT, /* begin_dispatch was sent */
    EVENT_ANNOUNCED,     /* the dispatch is a fact: the provider may be called */
    EVENT_CALLED,        /* the call has a place: the provider is called */
    EVENT_ANSWERED,      /* the outcome is known */
    EVENT_REPORT_SENT,   /* finish was sent */
    EVENT_RELEASED,      /* the lease was given back */
    EVENT_LOST,          /* the lease was superseded, or is left to run out */
};

struct carried;
struct carried_request;
struct lease_trace;
struct channel_call;
struct http_transfer;
struct host;

/* A limit on the tasks of some queues that this worker holds at once. */
struct queue_limit {
    int concurrency; /* largest number of tasks; 0: no limit */
    int held;        /* tasks of these queues that this worker holds */
};

/* All tasks that a worker holds, by state.  Tasks in TASK_RUNNING, TASK_ANNOUNCING and TASK_REPORTING are in the list of
 * the work connection that carries them. */
struct holdings {
    struct list all;
    struct list waiting[TASK_KINDS];
    struct list in[TASK_STATES];         /* tasks of the other states */
    int count;                           /* tasks in `all` */
    int counts[TASK_KINDS][TASK_STATES]; /* tasks per kind and state */
    int suspects;                        /* tasks whose earlier leases died with their holder */
};

/* A leased task.  The holdings of its worker own it. */
struct task {
    struct list held; /* in holdings->all */
    struct list node; /* in the list of its state, or of its work connection */
    struct holdings *holdings;
    struct queue_limit *queue_limit; /* limit of its queue; belongs to the worker */
    enum task_kind kind;
    enum task_state state;
    int64_t id;
    int32_t lease_no;
    int group;           /* index of the queue group that the claim was for */
    int channel;         /* TASK_CALLS: index of the channel; TASK_RUNS: -1 */
    int64_t timeout_ms;  /* timeout of one run or call; 0: none */
    int64_t deadline_ms; /* time of loop_boot_ms until which the lease certainly belongs to this worker */
    int crash_count;     /* leases of this task that died before this one */
    int interruptions;   /* runs without other tasks that ended with their connection */
    bool runs_alone;     /* the task never runs in a batch */
    bool is_noop;        /* the task has nothing to run and is only completed */
    bool is_careful;     /* the task may be announced only if there is a place for its call */
    bool has_parent;     /* the end of the task may let siblings begin */
    bool needs_prepare;  /* the task is a command whose before step is still to be made */
    struct worker *worker;
    struct channel_call *call;                       /* owned; set while TASK_ANNOUNCED or TASK_CALLING */
    struct http_transfer *transfer;                  /* set while a request is under way */
    struct carried_request *request;                 /* call of a carrier that is not handed over yet; owned; NULL: none */
    struct carried *carried;                         /* call that a carrier has; NULL: none */
    void (*forget)(struct task *task);               /* gives up `request` and `carried`; NULL: neither was ever set */
    void (*cancel)(struct task *task, bool is_lost); /* asks the call to end soon (carrier.h); NULL: not possible */
    struct host *host;                               /* destination of a call, until the call is over; NULL: none */
    bool is_retry;                                   /* the call was tried before, and counts as a retry of its host */
    int64_t call_began_ms;                           /* start of the call, as time of loop_now_ms */
    const char *report;                              /* outcome that is still to be recorded; static text; NULL: none */
    char *report_result;                             /* result of that outcome, as JSON; owned; NULL: none */
    char *report_error;                              /* error text of that outcome; owned; NULL: none */
    const char *report_class;                        /* error class of that outcome: static text or report_sqlstate; NULL: none */
    char report_sqlstate[6];                         /* SQLSTATE of an error of database work */
    int report_tries;                                /* attempts to record the outcome that met a passing error */
    bool was_put_off;                                /* the log says already that the server is unwell and the outcome waits */
    bool only_record;                                /* record the outcome without the handler, which could not be run */
    struct lease_trace *trace;                       /* times for spans; owned; NULL: the worker exports no traces */
    char type[64];
    char queue[64];
};

/* Makes empty holdings, which own nothing but the tasks that are added. */
void holdings_init(struct holdings *holdings);

/* Adds a task in state TASK_WAITING with the plain values of `like`; nothing that `like` owns is shared.  The holdings own
 * the task until task_free.  Never NULL. */
struct task *holdings_add(struct holdings *holdings, const struct task *like, int64_t id, int32_t lease_no);

/* Number of held tasks of database work, in any state. */
int holdings_runs(const struct holdings *holdings);

/* Numbers of calls: from their claim until they are answered; of these, the calls that are announced or being announced;
 * of those, the calls under way. */
int holdings_calls(const struct holdings *holdings);
int holdings_announced(const struct holdings *holdings);
int holdings_calling(const struct holdings *holdings);

/* Number of outcomes that are not recorded yet. */
int holdings_outcomes(const struct holdings *holdings);

/* Is the task announced, and its call not yet over? */
bool task_is_in_call(const struct task *task);

/* Changes state, list and counts; no other function does.  An event that a state does not know is a bug: the process aborts. */
void task_move(struct task *task, enum task_event event);

/* The same for events after which a work connection carries the task: appends the task to the list of that connection. */
void task_carry(struct task *task, enum task_event event, struct list *carried);

/* Logs an event of this task, with one more field.  `level` is a log_level.  key NULL: no field. */
void task_log(const struct task *task, int level, const char *event, const char *key, const char *value);

/* Removes the task from its holdings and frees it with all that it owns. */
void task_free(struct task *task);

/* For the test that walks the table.  True: there is a rule, and *ret_to is its new state.  False: *ret_to is unchanged. */
bool task_rule_exists(enum task_state from, enum task_event event, enum task_state *ret_to);

#endif
