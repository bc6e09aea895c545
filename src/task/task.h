/*
 * A task that this program holds a lease of, from the claim until its end is recorded,
 * or until the lease is given back or lost.  Its payload never comes here: database
 * work is run where the data is.
 *
 * A task's state says in which list it is and how it is counted.  One function changes all three together, by one
 * table: task_move.
 */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

/* Whether a task's work is done in the database or by a call to the outside. */
enum task_kind { TASK_RUNS, TASK_CALLS, TASK_KINDS };

enum task_state {
    TASK_WAITING,   /* leased, not yet sent */
    TASK_RUNNING,   /* its transaction is under way on a work connection */
    TASK_BEGINNING, /* its dispatch is being announced; the before handler runs */
    TASK_ANNOUNCED, /* the dispatch is a fact; it waits for a place among the calls */
    TASK_CALLING,   /* a provider is being called */
    TASK_ANSWERED,  /* its outcome is known, not yet sent */
    TASK_REPORTING, /* its outcome is being recorded */
    TASK_DEFERRED,  /* another session still holds a row; it is run again later */
    TASK_POSTPONED, /* its outcome could not be recorded; it is sent again later */
    TASK_DONE,      /* its end is a fact, or the lease is not ours any more */
    TASK_STATES,
};

enum task_event {
    EVENT_SENT,        /* execute was sent */
    EVENT_COMMITTED,   /* the end is recorded */
    EVENT_NOT_REACHED, /* the batch stopped before it */
    EVENT_INTERRUPTED, /* connection lost: nobody knows, ask again */
    EVENT_PREPARED,    /* the before step of a command is committed */
    EVENT_BUSY,        /* a row is locked by another session */
    EVENT_RETRY_DUE,   /* time to ask again */
    EVENT_BEGIN_SENT,  /* begin_dispatch was sent */
    EVENT_BEGUN,       /* the dispatch is a fact: the provider may be called */
    EVENT_CALLED,      /* it has a place: the provider is called */
    EVENT_ANSWERED,    /* the outcome is known */
    EVENT_REPORT_SENT, /* finish was sent */
    EVENT_RELEASED,    /* given back */
    EVENT_LOST,        /* superseded, or left to its lease */
};

struct channel_call;
struct http_transfer;
struct host;

/* A limit on the tasks of some queues that this worker holds at once. */
struct queue_share {
    int concurrency; /* 0: none */
    int held;        /* tasks that we hold under it */
};

/* All tasks that a worker holds, by state.  Tasks in TASK_RUNNING, TASK_BEGINNING and TASK_REPORTING are in the list of
 * the work connection that carries them. */
struct holdings {
    struct list all;
    struct list waiting[TASK_KINDS];
    struct list in[TASK_STATES]; /* of the states that are not named above */
    int count;
    int counts[TASK_KINDS][TASK_STATES];
    int suspects; /* tasks that have killed holders before */
};

struct task {
    struct list held; /* in holdings->all */
    struct list node; /* in the list of its state, or of its work connection */
    struct holdings *holdings;
    struct queue_share *share;
    enum task_kind kind;
    enum task_state state;
    int64_t id;
    int32_t lease_no;
    int group;           /* index of the queue group it was claimed for */
    int channel;         /* of TASK_CALLS: the channel that carries it; else -1 */
    int64_t timeout_ms;  /* of one run or call; 0: none */
    int64_t deadline_ms; /* until this time of loop_boot_ms the lease is certainly ours */
    int crash_count;     /* leases that died before this one */
    int interruptions;   /* runs alone that ended with their connection */
    bool runs_alone;     /* never in a batch */
    bool is_noop;        /* nothing to run: only to be completed */
    bool has_parent;     /* its end may let siblings begin */
    bool needs_prepare;  /* a command whose before step is still to be made */
    struct worker *worker;
    struct channel_call *call;      /* while it is TASK_ANNOUNCED or TASK_CALLING */
    struct http_transfer *transfer; /* while a request is under way */
    struct host *host;              /* destination of a call, until the call is over; or NULL */
    bool is_retry;                  /* among its places: a job that was tried before */
    int64_t call_began_ms;
    const char *report;       /* outcome still to be recorded, or NULL; static text */
    char *report_result;      /* with this result, as JSON; owned, may be NULL */
    char *report_error;       /* and this error; owned, may be NULL */
    const char *report_class; /* static text, or report_sqlstate; may be NULL */
    char report_sqlstate[6];  /* of an error of database work */
    int report_tries;         /* that met a passing error */
    bool was_put_off;         /* because the server is unwell; has been said */
    bool only_record;         /* without its handler, which could not be run */
    char type[64];
    char queue[64];
};

void holdings_init(struct holdings *holdings);

/* A new task in state TASK_WAITING, with the plain values of another; what that one owns is not shared.  The holdings
 * own it until task_free. */
struct task *holdings_add(struct holdings *holdings, const struct task *like, int64_t id, int32_t lease_no);

/* Database work that is held, in any state. */
int holdings_runs(const struct holdings *holdings);

/* Calls from their claim until they are answered; of these, the ones that are announced or about to be; and of those, the
 * ones under way. */
int holdings_calls(const struct holdings *holdings);
int holdings_begun(const struct holdings *holdings);
int holdings_calling(const struct holdings *holdings);

/* Outcomes that are not recorded yet. */
int holdings_outcomes(const struct holdings *holdings);

/* Does it still wait for its call, or is it in it? */
bool task_is_in_call(const struct task *task);

/* The one mover: changes state, list and counts.  An event that a state does not know is a bug and ends the process. */
void task_move(struct task *task, enum task_event event);

/* The same for events after which a work connection carries the task: appends it to the list of that connection. */
void task_carry(struct task *task, enum task_event event, struct list *carried);

/* Log an event of this task, with one more field. */
void task_log(const struct task *task, int level, const char *event, const char *key, const char *value);

void task_free(struct task *task);

/* For the test that walks the table. */
bool task_rule_exists(enum task_state from, enum task_event event, enum task_state *ret_to);

#endif
