/*
 * A permanent, non-blocking connection.  It resolves names in threads, connects, takes the worker's role, prepares
 * statements, and connects again with jitter after a loss.  It accepts only a server that accepts writes.  Work is sent in
 * units.  A unit is one transaction and one sync on the wire, so that a unit that fails does not affect the others.  Units
 * are answered in the order in which they were sent, each exactly once: with rows, with the server's error, or with
 * "connection lost" (kind ERR_RETRY), which means that nobody knows whether the unit was committed.
 *
 * The owner of a connection frees it with db_conn_close.
 */
#ifndef DB_DB_CONN_H
#define DB_DB_CONN_H

#include <stdbool.h>

#include "base/bounds.h"
#include "base/err.h"
#include "db/db_result.h"
#include "db/statements.h"
#include "loop/loop.h"

struct db_conn;

/* A warning of the server. */
struct db_warning {
    struct err err;                 /* its code and message, without the detail */
    char detail[BOUND_ERROR_BYTES]; /* "": none */
};

/* Options of a connection. */
struct db_conn_options {
    const char *conninfo;                                 /* copied */
    const char *name;                                     /* role of the connection in logs; static text */
    const char *application_name;                         /* copied */
    int64_t answer_ms;                                    /* longest wait for an answer, in ms; 0: no limit */
    void (*on_up)(void *cookie);                          /* the connection is up */
    void (*on_down)(void *cookie, const struct err *err); /* the connection was lost or could not be made; it is tried again */
    void (*on_notify)(void *cookie, const char *channel, const char *payload); /* NULL: ignore notifications */
    void (*on_warning)(
        void *cookie, const struct db_warning *warning); /* the server warned in a unit that was committed; NULL: ignore */
    void *cookie;                                        /* first argument of the four functions; not owned */
};

/* A statement with its parameters, which must be valid during the call that sends them. */
struct db_step {
    enum statement statement;
    const char *params[BOUND_PARAMS]; /* not owned; NULL: the parameter is null */
};

/* `err` NULL: the unit was committed, and `result` holds the rows of its main step.  Both set: the main step succeeded and
 * the commit failed, so everything was rolled back.  Both are valid during the callback. */
typedef void db_done_fn(void *cookie, const struct db_result *result, const struct err *err);

/* Makes a connection, which connects in the next pass of the loop and again after each loss; db_conn_close frees it.  A
 * failure is reported to on_down, never by this call. */
struct db_conn *db_conn_new(struct loop *loop, const struct db_conn_options *options) NODISCARD;

/* Sends one statement as a transaction of its own.  The connection must be up.  `done`, which may be NULL, is called
 * once, unless db_conn_close comes before.  If this unit or the one before shows that the connection is lost, `done` gets the
 * error before this call returns. */
void db_conn_send(struct db_conn *conn, const struct db_step *step, db_done_fn *done, void *cookie);

/* Sends begin, the timeouts, `step` and commit: for steps that run user code.  Otherwise as db_conn_send.  Timeouts are in
 * milliseconds; 0: none.  A negative timeout_ms means the timeout of the task that a direct claim in this session has claimed. */
void db_conn_send_limited(struct db_conn *conn, const struct db_step *step, int64_t timeout_ms, int64_t lock_timeout_ms,
    db_done_fn *done, void *cookie);

/* Is the connection set up and usable?  NULL: false. */
bool db_conn_is_up(const struct db_conn *conn);

/* Has user code changed the search_path, the role or the prepared statements of this session?  Then reset it before the next
 * unit.  NULL: false. */
bool db_conn_is_spoilt(const struct db_conn *conn);

/* Is there no proxy before the server, so that the session belongs to this connection? */
bool db_conn_is_direct(const struct db_conn *conn);

/* Do both lead to the same start of the same server?  A connection that is down counts as it last was up. */
bool db_conn_is_same_server(const struct db_conn *conn, const struct db_conn *other);

/* Is the login the worker's role, or has it taken that role? */
bool db_conn_acts_as_worker(const struct db_conn *conn);

/* The login, quoted for SQL.  The text belongs to the connection. */
const char *db_conn_login(const struct db_conn *conn);

/* Asks the server to cancel the unit under way, which is then answered with an error.  Does not block.  The
 * request may come too late, or not at all; if it comes too late, it may cancel the next unit.  Without a connection
 * nothing happens. */
void db_conn_cancel(struct db_conn *conn);

/* Drops the connection and makes a new one.  Open units are answered with "connection lost".  While the
 * connection waits for its next try, nothing happens. */
void db_conn_reset(struct db_conn *conn);

/* The same, beginning with the next host of the list, because this one is frozen. */
void db_conn_leave(struct db_conn *conn);

/* Closes and frees the connection.  Open units are never answered.  Not to be called from a callback of this connection.  NULL
 * is fine. */
void db_conn_close(struct db_conn *conn);

#endif
