/*
 * One non-blocking connection that stays: it resolves names off the loop, connects,
 * becomes the worker's role, keeps statements prepared, and connects again with jitter
 * whenever it is lost.  It stays only with a server that accepts writes.  Work is sent in units; a unit is one transaction and
 * one sync on the wire, so one that fails leaves its neighbours alone.  Units are answered in the order in which they were sent,
 * each exactly once: with rows, with the server's error, or with "connection lost" (kind ERR_RETRY), which means that nobody
 * knows whether it was committed.
 *
 * Owned by the worker; freed after db_conn_close, by the loop.
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

struct db_conn_options {
    const char *conninfo;                                                      /* copied */
    const char *name;                                                          /* role of the connection in logs; static text */
    const char *application_name;                                              /* copied */
    int64_t answer_ms;                                                         /* longest wait for an answer; 0: no limit */
    void (*on_up)(void *cookie);                                               /* usable from now on */
    void (*on_down)(void *cookie, const struct err *err);                      /* lost, or could not be made; it tries again */
    void (*on_notify)(void *cookie, const char *channel, const char *payload); /* may be NULL */
    void *cookie;
};

struct db_step {
    enum statement statement;
    const char *params[BOUND_PARAMS]; /* NULL is null */
};

/* `err` NULL: committed, and `result` holds the rows of the unit's main step.  Both set: the
 * main step was fine and the commit failed, so nothing of it stays. */
typedef void db_done_fn(void *cookie, const struct db_result *result, const struct err *err);

/* Begins to connect at once. */
struct db_conn *db_conn_new(struct loop *loop, const struct db_conn_options *options) NODISCARD;

/* Send one statement as a transaction of its own.  The connection must be up; if it was lost by what was
 * sent just before, the unit is answered at once. */
void db_conn_send(struct db_conn *conn, const struct db_step *step, db_done_fn *done, void *cookie);

/* Send begin, the timeouts, `step`, commit: for steps that run user code.  A negative timeout: that of the
 * task that the session has claimed for itself. */
void db_conn_send_limited(struct db_conn *conn, const struct db_step *step, int64_t timeout_ms, int64_t lock_timeout_ms,
    db_done_fn *done, void *cookie);

/* Up: set up and usable. */
bool db_conn_is_up(const struct db_conn *conn);

/* User code has changed the search_path, the role or the prepared statements of this session: reset it before the next unit.
 * NULL: false. */
bool db_conn_is_spoilt(const struct db_conn *conn);

/* No proxy between us and the server, so session state is ours. */
bool db_conn_is_direct(const struct db_conn *conn);

/* Both were made to the same start of the same server.  Of one that is not up: when it last was. */
bool db_conn_is_same_server(const struct db_conn *conn, const struct db_conn *other);

/* The login is the worker's role, or has become it. */
bool db_conn_acts_as_worker(const struct db_conn *conn);

/* The login, as it is written in SQL. */
const char *db_conn_login(const struct db_conn *conn);

/* Ask the server to cancel what runs; the answer comes to the unit.  Does not block. */
void db_conn_cancel(struct db_conn *conn);

/* Drop the connection and make a new one. */
void db_conn_reset(struct db_conn *conn);

/* The same, and begin with the next host of the list: this one is frozen. */
void db_conn_leave(struct db_conn *conn);

/* End it.  Units that are open are never answered.  NULL is fine. */
void db_conn_close(struct db_conn *conn);

#endif
