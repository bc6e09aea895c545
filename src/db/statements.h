/*
 * Every SQL statement that the worker can send, as one table.  Parameters are text and
 * are never pasted into a statement.
 */
#ifndef DB_STATEMENTS_H
#define DB_STATEMENTS_H

#include <stdbool.h>

/* SQL: the privilege that lets a member act as a role.  Since PostgreSQL 16, membership alone does not. */
#define DB_MAY_ACT "case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end"

/* Every statement that a worker sends; its parameters stand behind it. */
enum statement {
    STATEMENT_BEGIN,
    STATEMENT_COMMIT,
    STATEMENT_RESET_ALL, /* takes back the settings that user code left */
    STATEMENT_SESSION,   /* role, number of prepared statements, name of a setting: makes the session ours again; is it spoilt? */
    STATEMENT_TIMEOUTS,  /* statement_timeout, lock_timeout: for this transaction */
    STATEMENT_WHO,       /* backend pid, is the worker's role, may become it, is read-only, start of the server, login */
    STATEMENT_SET_ROLE,
    STATEMENT_SET_SESSION,
    STATEMENT_START,    /* worker id, name, version, schema version, single instance, installation */
    STATEMENT_INSTANCE, /* was the lock of the only instance granted; its holder: pid, role, application */
    STATEMENT_RESET,
    STATEMENT_SETTINGS,     /* types to serve; answer: types with their adapters, then queues with their limits */
    STATEMENT_CLAIM_NEXT,   /* worker id, queue, priority, time, types, lease, token */
    STATEMENT_HOLD,         /* worker id */
    STATEMENT_EXECUTE_NEXT, /* worker id, token */
    STATEMENT_BEGIN_NEXT,   /* worker id, token, free places; answer as of STATEMENT_BEGIN_DISPATCH */
    STATEMENT_CLAIM, /* worker id, queues, types, limit, lease, hints, take back, then of destinations: names, rooms, retry rooms,
                        other room, other retry room, shared room */
    STATEMENT_FIRE_DUE,       /* limit; answer: schedules decided about, milliseconds until the next decision */
    STATEMENT_NEXT_DUE,       /* queues, types, hints; answer: milliseconds from now */
    STATEMENT_RENEW,          /* worker id, tasks, lease numbers, lease */
    STATEMENT_RELEASE,        /* worker id, tasks, lease numbers, delay */
    STATEMENT_EXECUTE,        /* worker id, task, lease number; the answer has the duration of the run in us */
    STATEMENT_EXECUTE_BATCH,  /* worker id, tasks, lease numbers */
    STATEMENT_PREPARE,        /* worker id, task, lease number */
    STATEMENT_COMPLETE_NOOP,  /* worker id, tasks, lease numbers */
    STATEMENT_BEGIN_DISPATCH, /* worker id, tasks, lease numbers, free places */
    STATEMENT_PROGRESS,       /* worker id, task, lease number, progress */
    STATEMENT_FINISH_BATCH,   /* worker id, then arrays: tasks, lease numbers, outcomes, results, errors, classes */
    STATEMENT_RECORD_RESULT,  /* the same, with one element each */
    STATEMENT_ALIVE,          /* worker id, queues, types, closed destinations, milliseconds of each */
    STATEMENT_SWEEP,
    STATEMENT_RESCUE,
    STATEMENT_PRUNE,
    STATEMENT_ROLL_UP,
    STATEMENT_PING,     /* is the database there? */
    STATEMENT_OVERDUE,  /* queues, types; answer: age of the oldest due task, in seconds */
    STATEMENT_TRACES,   /* worker id, first and last task, tasks or null: leases of sampled tasks */
    STATEMENT_METRICS,  /* figures of the whole database: metric, label, value */
    STATEMENT_UNSEALED, /* worker id; answer: secrets to be sealed */
    STATEMENT_SEAL,     /* worker id, id, name, plain value, sealed value */
    STATEMENT_STOP,     /* worker id, reason */
    STATEMENT_ROLLBACK,
    STATEMENT_PLAN_AGAIN,
    STATEMENT_LISTEN, /* three channels need three statements */
    STATEMENT_LISTEN_QUEUES,
    STATEMENT_LISTEN_CONTROL,
    STATEMENT_PROBE,      /* nonce */
    STATEMENT_GATE_ENTER, /* does the session follow; answer: held, follows, waits */
    STATEMENT_GATE_LEAVE, /* does the session follow, does the worker stop; answer: has it left */
    STATEMENT_COUNT,
};

/* A prepared statement.  All texts are static. */
struct statement_row {
    const char *name; /* name of the prepared statement */
    const char *sql;
    int params; /* number of parameters */
};

/* The statements, by their number. */
extern const struct statement_row statements[STATEMENT_COUNT];

/* The form of the rows of an answer, with one letter for each column:
 *
 *     i  a whole number     n  a number        b  true or false
 *     t  a text             a  an array of whole numbers
 *
 * A capital may be null, a small letter not.  "1" before them: there is exactly one row.  NULL: no code reads the answer. */
extern const char *const statement_forms[STATEMENT_COUNT];

/* After these, STATEMENT_RESET_ALL and STATEMENT_SESSION take back what user code has left in the session. */
extern const bool statement_runs_user_code[STATEMENT_COUNT];

#endif
