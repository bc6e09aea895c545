/*
 * The life of a connection:
 *
 *   RESOLVING -> CONNECTING -> SETTING_UP -> UP
 *       ^                                     |
 *       +---- WAITING (jittered) <------------+   any failure, at any point
 *
 * drop() handles every half-made state and is the only way down.  A connection to a server that accepts no writes counts as
 * a failure.
 */
#include "db/db_conn.h"

#include <assert.h>
#include <inttypes.h>

#include "base/list.h"
#include "base/log.h"
#include "base/outside.h"
#include "db/db_hosts.h"
#include "db/db_private.h"
#include "db/db_warnings.h"

enum db_state { STATE_RESOLVING, STATE_CONNECTING, STATE_SETTING_UP, STATE_UP, STATE_WAITING, STATE_CLOSED };

struct unit {
    struct list node; /* in conn->sent, oldest first */
    db_done_fn *done;
    void *cookie;
    int begin_result;                     /* index of the result of a leading "begin"; -1: none */
    enum statement main;                  /* statement whose rows are the answer */
    int main_result;                      /* index of the result with these rows */
    int session_result;                   /* index of the result that tells whether the session was spoilt; -1: none */
    int seen;                             /* number of results received */
    int prepare_result[BOUND_UNIT_STEPS]; /* index of the result of each PREPARE; -1: none */
    enum statement prepared[BOUND_UNIT_STEPS];
    struct db_result rows;      /* kept until the sync */
    struct list warnings;       /* of db_warnings.h */
    struct unit *answered_then; /* owned; a unit that failed before and is answered with this one; NULL: none */
    bool failed;
    struct err err;
};

struct db_conn {
    struct loop *loop;
    struct db_conn_options options;
    char *conninfo;
    char *application_name;
    enum db_state state;
    PGconn *pg;
    struct watch *watch;
    struct timer *timer; /* deadline of connecting or of the next answer, or wait before the next try */
    struct db_hosts *hosts;
    struct list sent;
    bool is_prepared[STATEMENT_COUNT];
    bool is_direct;
    bool has_set_role; /* the session has taken the worker's role */
    bool is_spoilt;    /* user code has changed the session in a way that cannot be taken back */
    bool acts_as_worker;
    char server[64]; /* start time of the server, as text */
    char login[136]; /* quoted for SQL */
    int failures;    /* failures in a row */
    int skip;        /* addresses at the front of the list that did not answer in time */
    unsigned int seed;
};

static void start(struct db_conn *conn);
static void on_ready(void *cookie, int events);

static void
unit_free(struct unit *unit)
{
    list_remove(&unit->node);
    if (unit->answered_then != NULL)
        unit_free(unit->answered_then);
    db_warnings_clear(&unit->warnings);
    PQclear(unit->rows.pg);
    free(unit);
}

static int64_t
jittered_wait_ms(struct db_conn *conn)
{
    int64_t ceiling = BOUND_RECONNECT_MIN_MS;

    for (int i = 1; i < conn->failures && ceiling < BOUND_RECONNECT_MAX_MS; i++)
        ceiling *= 2;
    if (ceiling > BOUND_RECONNECT_MAX_MS)
        ceiling = BOUND_RECONNECT_MAX_MS;
    return 1 + rand_r(&conn->seed) % ceiling;
}

/* The connection is lost: answers every open unit with an error, and schedules a new try. */
static void
drop(struct db_conn *conn, const struct err *why)
{
    struct err err = *why;
    struct list lost;
    bool is_first = conn->state != STATE_WAITING;

    assert(conn->state != STATE_CLOSED);
    err.kind = ERR_RETRY;
    conn->state = STATE_WAITING;
    db_hosts_free(conn->hosts);
    conn->hosts = NULL;
    watch_close(conn->watch);
    conn->watch = NULL;
    PQfinish(conn->pg);
    conn->pg = NULL;
    memset(conn->is_prepared, 0, sizeof(conn->is_prepared));
    conn->is_spoilt = false;
    conn->failures++;
    timer_start(conn->timer, jittered_wait_ms(conn));

    list_init(&lost);
    while (!list_is_empty(&conn->sent))
        list_append(&lost, conn->sent.next);
    while (!list_is_empty(&lost)) {
        struct unit *unit = LIST_OWNER(lost.next, struct unit, node);

        list_remove(&unit->node);
        if (unit->done != NULL)
            unit->done(unit->cookie, NULL, &err);
        if (unit->answered_then != NULL && unit->answered_then->done != NULL)
            unit->answered_then->done(unit->answered_then->cookie, NULL, &err);
        unit_free(unit);
    }
    if (is_first)
        conn->options.on_down(conn->options.cookie, &err);
}

static void
drop_with_conn_error(struct db_conn *conn)
{
    struct err err;

    (void)db_err_from_conn(conn->pg, &err);
    drop(conn, &err);
}

static void
flush(struct db_conn *conn)
{
    int status = PQflush(conn->pg);

    if (status < 0) {
        drop_with_conn_error(conn);
        return;
    }
    watch_want(conn->watch, WATCH_READ | (status > 0 ? WATCH_WRITE : 0));
}

/* Sets the deadline of the next answer.  During a connection attempt, the deadline is that of the whole attempt. */
static void
expect_answer(struct db_conn *conn)
{
    if (conn->state != STATE_UP || conn->options.answer_ms == 0)
        return;
    if (list_is_empty(&conn->sent))
        timer_stop(conn->timer);
    else
        timer_start(conn->timer, conn->options.answer_ms);
}

/* --- sending ---------------------------------------------------------------------- */

/* Is this statement sent before the session is known to be good?  User code can replace a prepared statement. */
static bool
follows_user_code(enum statement statement)
{
    return statement == STATEMENT_COMMIT || statement == STATEMENT_ROLLBACK || statement == STATEMENT_RESET_ALL
           || statement == STATEMENT_SESSION;
}

/* Name of the setting that makes a server look for clients that are gone; PostgreSQL 13 has none. */
static const char *
client_check(const struct db_conn *conn)
{
    return PQserverVersion(conn->pg) >= 140000 ? "client_connection_check_interval" : "reeve.client_connection_check_interval";
}

/* Makes the session ours again after user code, and asks whether its role and its prepared statements are as before. */
static bool
send_session(struct db_conn *conn)
{
    const struct statement_row *row = &statements[STATEMENT_SESSION];
    const char *params[3] = {conn->has_set_role ? "worker_service_user" : "none", NULL, client_check(conn)};
    char prepared[16];
    int count = 0;

    for (int i = 0; i < STATEMENT_COUNT; i++)
        count += conn->is_prepared[i];
    (void)snprintf(prepared, sizeof(prepared), "%d", count);
    params[1] = prepared;
    return PQsendQueryParams(conn->pg, row->sql, row->params, NULL, params, NULL, NULL, 0) == 1;
}

static bool
send_step(struct db_conn *conn, struct unit *unit, const struct db_step *step, int *results)
{
    const struct statement_row *row = &statements[step->statement];
    int i = 0;

    if (step->statement == STATEMENT_SESSION)
        return send_session(conn);
    if (!conn->is_direct || follows_user_code(step->statement))
        return PQsendQueryParams(conn->pg, row->sql, row->params, NULL, step->params, NULL, NULL, 0) == 1;
    if (!conn->is_prepared[step->statement]) {
        if (PQsendPrepare(conn->pg, row->name, row->sql, row->params, NULL) != 1)
            return false;
        while (unit->prepare_result[i] >= 0)
            i++;
        unit->prepare_result[i] = (*results)++;
        unit->prepared[i] = step->statement;
        conn->is_prepared[step->statement] = true; /* reset if it fails */
    }
    return PQsendQueryPrepared(conn->pg, row->name, row->params, step->params, NULL, NULL, 0) == 1;
}

static void
send_unit(struct db_conn *conn, const struct db_step *steps, int count, int main_step, db_done_fn *done, void *cookie)
{
    struct unit *unit = must_alloc(sizeof(*unit));
    int results = 0;
    bool ok = true;

    assert(conn->pg != NULL && count <= BOUND_UNIT_STEPS);
    list_init(&unit->node);
    list_init(&unit->warnings);
    unit->done = done;
    unit->cookie = cookie;
    for (int i = 0; i < BOUND_UNIT_STEPS; i++)
        unit->prepare_result[i] = -1;
    unit->begin_result = -1;
    unit->session_result = -1;
    for (int i = 0; i < count && ok; i++) {
        ok = send_step(conn, unit, &steps[i], &results);
        if (steps[i].statement == STATEMENT_BEGIN)
            unit->begin_result = results;
        if (steps[i].statement == STATEMENT_SESSION)
            unit->session_result = results;
        if (i == main_step) {
            unit->main = steps[i].statement;
            unit->main_result = results;
        }
        results++;
    }
    ok = ok && PQpipelineSync(conn->pg) == 1;
    list_append(&conn->sent, &unit->node);
    if (conn->sent.next == &unit->node)
        expect_answer(conn);
    if (!ok)
        drop_with_conn_error(conn);
    else
        flush(conn);
}

/* A unit that was sent just before may have shown that the connection is gone. */
static bool
is_lost(const struct db_conn *conn, db_done_fn *done, void *cookie)
{
    struct err err;

    if (conn->state == STATE_UP)
        return false;
    assert(conn->state == STATE_WAITING);
    (void)err_set(&err, ERR_RETRY, "", "connection was lost");
    if (done != NULL)
        done(cookie, NULL, &err);
    return true;
}

void
db_conn_send(struct db_conn *conn, const struct db_step *step, db_done_fn *done, void *cookie)
{
    if (is_lost(conn, done, cookie))
        return;
    send_unit(conn, step, 1, 0, done, cookie);
}

void
db_conn_send_limited(
    struct db_conn *conn, const struct db_step *step, int64_t timeout_ms, int64_t lock_timeout_ms, db_done_fn *done, void *cookie)
{
    char timeout[32];
    char lock_timeout[32];
    struct db_step steps[BOUND_UNIT_STEPS] = {
        {.statement = STATEMENT_BEGIN},
        {.statement = STATEMENT_TIMEOUTS, .params = {timeout_ms < 0 ? NULL : timeout, lock_timeout}},
        *step,
        {.statement = STATEMENT_COMMIT},
        {.statement = STATEMENT_RESET_ALL},
        {.statement = STATEMENT_SESSION},
    };
    bool is_watched = conn->is_direct && statement_runs_user_code[step->statement];

    if (is_lost(conn, done, cookie))
        return;
    (void)snprintf(timeout, sizeof(timeout), "%" PRId64 "ms", timeout_ms);
    (void)snprintf(lock_timeout, sizeof(lock_timeout), "%" PRId64 "ms", lock_timeout_ms);
    send_unit(conn, steps, is_watched ? 6 : 4, 2, done, cookie);
}

/* --- receiving -------------------------------------------------------------------- */

/* False: the result belongs to no unit, and the connection was dropped. */
static bool
take_result(struct db_conn *conn, struct unit *unit, PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    bool ok = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;

    /* An error without SQLSTATE comes from libpq: it could not read the answer. */
    if (status == PGRES_FATAL_ERROR && PQresultErrorField(result, PG_DIAG_SQLSTATE) == NULL) {
        PQclear(result);
        return false;
    }
    for (int i = 0; i < BOUND_UNIT_STEPS; i++) {
        if (unit->prepare_result[i] == unit->seen && !ok)
            conn->is_prepared[unit->prepared[i]] = false;
    }
    if (unit->seen == unit->session_result) {
        /* This statement comes after the commit, so its failure does not change the result of the unit. */
        if (!unit->failed && (!ok || PQntuples(result) != 1 || strcmp(PQgetvalue(result, 0, 0), "f") != 0))
            conn->is_spoilt = true;
    } else if (!ok && !unit->failed) {
        unit->failed = true;
        (void)db_err_from_result(result, &unit->err);
    }
    if (ok && unit->seen == unit->main_result && unit->rows.pg == NULL) {
        const char *form = statement_forms[unit->main];

        unit->rows.pg = result;
        result = NULL;
        if (form != NULL && !db_result_has_form(&unit->rows, form))
            return false;
    }
    unit->seen++;
    PQclear(result);
    return true;
}

static void
answer(const struct db_conn *conn, const struct unit *unit)
{
    if (!unit->failed && conn->options.on_warning != NULL)
        db_warnings_tell(&unit->warnings, conn->options.on_warning, conn->options.cookie);
    if (unit->done != NULL)
        unit->done(unit->cookie, unit->rows.pg == NULL ? NULL : &unit->rows, unit->failed ? &unit->err : NULL);
}

/* A unit that has failed may have left its transaction open, and user code may have left something in the session. */
static void
clean_up(struct db_conn *conn, struct unit *unit)
{
    struct db_step steps[] = {{.statement = STATEMENT_ROLLBACK}, {.statement = STATEMENT_SESSION}};
    bool is_open = PQtransactionStatus(conn->pg) != PQTRANS_IDLE;

    /* A rollback takes back settings, but neither prepared statements nor advisory locks of the session. */
    if (is_open)
        send_unit(conn, steps, conn->is_direct ? 2 : 1, 0, NULL, NULL);
    else
        send_unit(conn, &steps[1], 1, 0, NULL, NULL);
    if (conn->pg == NULL) {
        /* The connection was lost now.  The error must say so, because after another error the owner may send more. */
        unit->failed = true;
        (void)err_set(&unit->err, ERR_RETRY, "08006", "connection lost");
    } else if (unit->session_result >= 0) {
        /* The owner may send more as soon as it is answered, so it is answered when the session is known to be good. */
        LIST_OWNER(conn->sent.prev, struct unit, node)->answered_then = unit;
    }
}

static void
end_unit(struct db_conn *conn, struct unit *unit)
{
    PGTransactionStatusType status = PQtransactionStatus(conn->pg);

    list_remove(&unit->node);
    expect_answer(conn);
    if (status == PQTRANS_INERROR || status == PQTRANS_INTRANS
        || (unit->failed && unit->session_result >= 0 && unit->begin_result >= 0)) {
        clean_up(conn, unit);
        if (conn->pg != NULL && unit->session_result >= 0)
            return;
    }
    answer(conn, unit);
    if (unit->answered_then != NULL)
        answer(conn, unit->answered_then);
    unit_free(unit);
}

/* Does the server accept no writes, because it is a standby or has become read-only?  In a unit that runs user code only
 * "begin read write" can tell, since user code may raise any error. */
static bool
is_refused_write(const struct unit *unit, const PGresult *result)
{
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    if (PQresultStatus(result) != PGRES_FATAL_ERROR || code == NULL)
        return false;
    return unit->begin_result < 0 ? strcmp(code, "25006") == 0 : unit->begin_result == unit->seen;
}

static void
take_notifications(struct db_conn *conn)
{
    PGnotify *notify;

    while (conn->pg != NULL && (notify = PQnotifies(conn->pg)) != NULL) {
        if (conn->options.on_notify != NULL)
            conn->options.on_notify(conn->options.cookie, notify->relname, notify->extra);
        PQfreemem(notify);
    }
}

/* The unit is answered with "connection lost", since nobody knows the effect of the statement. */
static void
drop_strange(struct db_conn *conn, const struct unit *unit)
{
    struct err err;

    (void)err_set(&err, ERR_RETRY, "08P01", "the server's answer to %s has an unexpected form", statements[unit->main].name);
    log_event(LOG_ERROR, "connection dropped", "error", err.message, NULL);
    drop(conn, &err);
}

static void
take_results(struct db_conn *conn)
{
    bool was_end = false;

    /* Callbacks may drop the connection. */
    while (conn->pg != NULL && !PQisBusy(conn->pg)) {
        PGresult *result = PQgetResult(conn->pg);
        struct unit *unit;

        if (result == NULL) {
            /* The end of one statement; the next call gives the result of the next one.  Twice in a row: there is no other
             * result, or none will come because the connection is lost. */
            if (was_end)
                break;
            was_end = true;
            continue;
        }
        was_end = false;
        if (list_is_empty(&conn->sent)) {
            PQclear(result);
            continue;
        }
        unit = LIST_OWNER(conn->sent.next, struct unit, node);
        if (is_refused_write(unit, result)) {
            struct err err;

            (void)db_err_from_result(result, &err);
            PQclear(result);
            drop(conn, &err);
        } else if (PQresultStatus(result) != PGRES_PIPELINE_SYNC) {
            if (!take_result(conn, unit, result))
                drop_strange(conn, unit);
        } else {
            PQclear(result);
            if (!unit->failed && unit->rows.pg == NULL)
                drop_strange(conn, unit);
            else
                end_unit(conn, unit);
        }
    }
}

static void
receive(struct db_conn *conn)
{
    if (PQconsumeInput(conn->pg) != 1) {
        /* The last data of the server can still be read. */
        take_results(conn);
        if (conn->pg != NULL)
            drop_with_conn_error(conn);
        return;
    }
    take_results(conn);
    take_notifications(conn);
    if (conn->pg != NULL && PQstatus(conn->pg) == CONNECTION_BAD)
        drop_with_conn_error(conn);
}

/* --- connecting ------------------------------------------------------------------- */

static void
on_session_set(void *cookie, const struct db_result *result, const struct err *err)
{
    struct db_conn *conn = cookie;

    (void)result;
    if (err != NULL) {
        if (conn->state == STATE_SETTING_UP)
            drop(conn, err);
        return;
    }
    conn->state = STATE_UP;
    conn->failures = 0;
    conn->skip = 0;
    timer_stop(conn->timer);
    conn->options.on_up(conn->options.cookie);
}

static void
on_who(void *cookie, const struct db_result *result, const struct err *err)
{
    struct db_conn *conn = cookie;
    struct db_step session = {.statement = STATEMENT_SET_SESSION, .params = {client_check(conn)}};
    struct db_step role = {.statement = STATEMENT_SET_ROLE};
    bool is_worker;
    bool may_become;

    if (err != NULL) {
        if (conn->state == STATE_SETTING_UP)
            drop(conn, err);
        return;
    }
    if (db_result_is_true(result, 0, 3)) {
        struct err read_only;

        (void)err_set(&read_only, ERR_RETRY, "25006", "the server accepts no writes: it is a standby, or read-only");
        drop(conn, &read_only);
        return;
    }
    (void)snprintf(conn->server, sizeof(conn->server), "%s", db_result_text(result, 0, 4));
    (void)snprintf(conn->login, sizeof(conn->login), "%s", db_result_text(result, 0, 5));
    conn->is_direct = db_result_i64(result, 0, 0, 0) == PQbackendPID(conn->pg);
    is_worker = db_result_is_true(result, 0, 1);
    may_become = db_result_is_true(result, 0, 2);
    conn->acts_as_worker = is_worker || (conn->is_direct && may_become);
    if (!conn->is_direct) {
        /* Session state would leak to the next user of the server connection. */
        on_session_set(conn, NULL, NULL);
        return;
    }
    conn->has_set_role = !is_worker && may_become;
    send_unit(conn, &session, 1, 0, is_worker || !may_become ? on_session_set : NULL, conn);
    if (!is_worker && may_become && conn->pg != NULL)
        send_unit(conn, &role, 1, 0, on_session_set, conn);
}

static void
set_up(struct db_conn *conn)
{
    struct db_step who = {.statement = STATEMENT_WHO};

    conn->state = STATE_SETTING_UP;
    if (PQsetnonblocking(conn->pg, 1) != 0 || PQenterPipelineMode(conn->pg) != 1) {
        drop_with_conn_error(conn);
        return;
    }
    conn->is_direct = false; /* prepare nothing until this is known */
    conn->has_set_role = false;
    send_unit(conn, &who, 1, 0, on_who, conn);
}

/* The socket may change between two polls, and may even get the same number again. */
static void
follow_socket(struct db_conn *conn, int events)
{
    watch_close(conn->watch);
    conn->watch = watch_new(conn->loop, PQsocket(conn->pg), on_ready, conn);
    watch_want(conn->watch, events);
}

static void
connect_step(struct db_conn *conn)
{
    switch (PQconnectPoll(conn->pg)) {
    case PGRES_POLLING_READING:
        follow_socket(conn, WATCH_READ);
        break;
    case PGRES_POLLING_WRITING:
        follow_socket(conn, WATCH_WRITE);
        break;
    case PGRES_POLLING_OK:
        follow_socket(conn, WATCH_READ);
        set_up(conn);
        break;
    case PGRES_POLLING_FAILED:
    case PGRES_POLLING_ACTIVE:
        drop_with_conn_error(conn);
        break;
    }
}

static void
on_ready(void *cookie, int events)
{
    struct db_conn *conn = cookie;

    if (conn->state == STATE_CONNECTING) {
        connect_step(conn);
        return;
    }
    if ((events & WATCH_READ) != 0)
        receive(conn);
    if (conn->pg != NULL && (events & WATCH_WRITE) != 0)
        flush(conn);
}

/* Notices come while the results of the oldest unit are read.  Those of user code are nobody's business. */
static void
on_notice(void *cookie, const PGresult *notice)
{
    struct db_conn *conn = cookie;
    struct unit *unit = list_is_empty(&conn->sent) ? NULL : LIST_OWNER(conn->sent.next, struct unit, node);

    if (unit != NULL && conn->options.on_warning != NULL && !statement_runs_user_code[unit->main])
        db_warnings_add(&unit->warnings, notice);
}

static void
on_hosts(void *cookie, const char *const *keywords, const char *const *values, const struct err *err)
{
    struct db_conn *conn = cookie;

    if (err != NULL) {
        struct err why = *err;

        drop(conn, &why);
        return;
    }
    conn->state = STATE_CONNECTING;
    conn->pg = PQconnectStartParams(keywords, values, 0);
    if (conn->pg == NULL || PQstatus(conn->pg) == CONNECTION_BAD) {
        drop_with_conn_error(conn);
        return;
    }
    (void)PQsetNoticeReceiver(conn->pg, on_notice, conn);
    follow_socket(conn, WATCH_WRITE);
}

static void
start(struct db_conn *conn)
{
    struct db_hosts *hosts;

    conn->state = STATE_RESOLVING;
    timer_start(conn->timer, 2 * BOUND_RESOLVE_MS);
    hosts = db_hosts_start(conn->loop, conn->conninfo, conn->application_name, conn->skip, on_hosts, conn);
    if (conn->state == STATE_RESOLVING)
        conn->hosts = hosts; /* the lookup is under way */
    else
        db_hosts_free(hosts);
}

static void
on_timer(void *cookie)
{
    struct db_conn *conn = cookie;
    struct err err;

    if (conn->state == STATE_WAITING) {
        start(conn);
        return;
    }
    conn->skip++; /* A frozen host accepts connections, too, so the next try begins with another host. */
    (void)err_set(&err, ERR_RETRY, "08006",
        conn->state == STATE_UP ? "the database did not answer in time" : "could not connect to the database in time");
    drop(conn, &err);
}

struct db_conn *
db_conn_new(struct loop *loop, const struct db_conn_options *options)
{
    struct db_conn *conn = must_alloc(sizeof(*conn));

    conn->loop = loop;
    conn->options = *options;
    conn->conninfo = must_strdup(options->conninfo);
    conn->application_name = must_strdup(options->application_name);
    conn->timer = timer_new(loop, on_timer, conn);
    outside_random(&conn->seed, sizeof(conn->seed));
    list_init(&conn->sent);
    /* Connect from the loop, so that on_down never comes before the owner has the pointer. */
    conn->state = STATE_WAITING;
    timer_start(conn->timer, 0);
    return conn;
}

bool
db_conn_is_up(const struct db_conn *conn)
{
    return conn != NULL && conn->state == STATE_UP;
}

bool
db_conn_is_spoilt(const struct db_conn *conn)
{
    return conn != NULL && conn->is_spoilt;
}

bool
db_conn_is_direct(const struct db_conn *conn)
{
    return conn->is_direct;
}

bool
db_conn_is_same_server(const struct db_conn *conn, const struct db_conn *other)
{
    return strcmp(conn->server, other->server) == 0;
}

bool
db_conn_acts_as_worker(const struct db_conn *conn)
{
    return conn->acts_as_worker;
}

const char *
db_conn_login(const struct db_conn *conn)
{
    return conn->login;
}

static void
on_cancel_work(void *cookie)
{
    char problem[256];

    (void)PQcancel(cookie, problem, sizeof(problem));
}

static void
on_cancel_done(void *cookie)
{
    PQfreeCancel(cookie);
}

void
db_conn_cancel(struct db_conn *conn)
{
    PGcancel *cancel = conn->pg == NULL ? NULL : PQgetCancel(conn->pg);

    if (cancel != NULL)
        loop_work(conn->loop, on_cancel_work, on_cancel_done, cancel);
}

void
db_conn_reset(struct db_conn *conn)
{
    struct err err;

    if (conn->state == STATE_CLOSED || conn->state == STATE_WAITING)
        return;
    (void)err_set(&err, ERR_RETRY, "08006", "connection was reset by this worker");
    drop(conn, &err);
}

void
db_conn_leave(struct db_conn *conn)
{
    conn->skip++;
    db_conn_reset(conn);
}

void
db_conn_close(struct db_conn *conn)
{
    if (conn == NULL)
        return;
    conn->state = STATE_CLOSED;
    db_hosts_free(conn->hosts);
    watch_close(conn->watch);
    timer_close(conn->timer);
    PQfinish(conn->pg);
    while (!list_is_empty(&conn->sent))
        unit_free(LIST_OWNER(conn->sent.next, struct unit, node));
    free(conn->conninfo);
    free(conn->application_name);
    free(conn);
}
