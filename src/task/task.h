/*
 * A task that this program holds a lease of, from the claim until its end is recorded,
 * or until the lease is given back or lost.  Its payload never comes here: database
 * work is run where the data is.
 *
 * Where it is follows from its state, and only task_move changes that.
 */
#ifndef TASK_TASK_H
#define TASK_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

enum task_state {
    TASK_WAITING,   /* leased, not yet sent */
    TASK_RUNNING,   /* its transaction is under way on a work connection */
    TASK_BEGINNING, /* its dispatch is being announced; the before handler runs */
    TASK_ANNOUNCED, /* the dispatch is a fact; it waits for a place among the calls */
    TASK_CALLING,   /* a provider is being called */
    TASK_ANSWERED,  /* its outcome is known, not yet sent */
    TASK_REPORTING, /* its outcome is being recorded */
    TASK_DEFERRED,  /* another session still holds a row; asked again later */
    TASK_DONE,      /* its end is a fact, or the lease is not ours any more */
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

struct task {
    struct list held; /* in worker->held: everything we have a lease of */
    struct list node; /* in worker->waiting, to_begin, to_call, calling or to_finish, in its slot, or idle */
    enum task_state state;
    int64_t id;
    int32_t lease_no;
    int group;           /* index of the queue group it was claimed for */
    int channel;         /* that carries it; -1: database work */
    int64_t timeout_ms;  /* of one run or call; 0: none */
    int64_t deadline_ms; /* until this time of loop_boot_ms the lease is certainly ours */
    int crash_count;     /* leases that died before this one */
    int interruptions;   /* runs alone that ended with their connection */
    bool runs_alone;     /* never in a batch */
    bool is_noop;        /* nothing to run: only to be completed */
    bool is_command;     /* what it ends may let others begin */
    bool needs_prepare;  /* a command whose before step is still to be made */
    bool is_calling;     /* counts as a call: from its claim until it is answered */
    bool is_begun;       /* its announcement was sent, and it is not answered */
    bool has_place;      /* counts against the calls that may be under way at once */
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

/* A task in state TASK_WAITING, with the plain values of another; what that one owns is not shared. */
struct task *task_new_like(const struct task *like);

/* The one mover.  An event that a state does not know is a bug and ends the process. */
void task_move(struct task *task, enum task_event event);

/* Log an event of this task, with one more field. */
void task_log(const struct task *task, int level, const char *event, const char *key, const char *value);

void task_free(struct task *task);

/* For the test that walks the table. */
bool task_rule_exists(enum task_state from, enum task_event event, enum task_state *ret_to);

#endif
