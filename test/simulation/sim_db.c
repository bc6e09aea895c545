/*
 * Connections of a worker, as db/db_conn.c makes them: they connect, are lost, connect again with jitter, answer each unit
 * once and in order.  Between them and the server is a network that is slow now and then, and breaks before a request
 * arrives, while it is worked on, or after it was committed.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/db_private.h"
#include "sim.h"

enum db_state { STATE_WAITING, STATE_CONNECTING, STATE_UP, STATE_CLOSED };

struct db_unit {
    struct list node;
    struct db_conn *conn;
    db_done_fn *done;
    void *cookie;
    struct request *request; /* until it is answered */
    struct sim_event *event; /* the answer is on its way */
    enum statement statement;
    struct db_result rows;
    bool has_failed;
    struct err err;
};

struct db_conn {
    struct loop *loop;
    struct db_conn_options options;
    enum db_state state;
    struct list sent;
    struct timer *timer;
    struct session *session; /* NULL: none */
    struct sim_event *loss;  /* it is broken, and we shall learn it */
    int failures;
    int server_no;
    struct list notices; /* on their way */
};

struct notice {
    struct list node;
    struct db_conn *conn;
    struct sim_event *event;
    char channel[32];
    char payload[64];
};

static int64_t
latency_us(void)
{
    if (world_has_faults() && sim_chance(sim->faults.slow)) {
        int64_t delay_us = sim_between(1 * SIM_MS, sim_chance(200) ? 8 * SIM_SECOND : 300 * SIM_MS);

        sim_disturb(delay_us);
        return delay_us;
    }
    return sim_between(50, sim->latency_us);
}

static void
unit_free(struct db_unit *unit)
{
    list_remove(&unit->node);
    sim_cancel(unit->event);
    if (unit->request != NULL)
        unit->request->unit = NULL;
    PQclear(unit->rows.pg);
    free(unit);
}

static void
forget_notices(struct db_conn *conn)
{
    while (!list_is_empty(&conn->notices)) {
        struct notice *notice = LIST_OWNER(conn->notices.next, struct notice, node);

        sim_cancel(notice->event);
        list_remove(&notice->node);
        free(notice);
    }
}

static void
leave_session(struct db_conn *conn)
{
    if (conn->session != NULL)
        server_leave(conn->session, sim_chance(900) ? latency_us() : sim_between(0, SIM_SECOND));
    conn->session = NULL;
    sim_cancel(conn->loss);
    conn->loss = NULL;
}

static void
drop(struct db_conn *conn, const char *why)
{
    struct err err;
    struct list lost;
    bool is_first = conn->state != STATE_WAITING;
    int64_t ceiling = BOUND_RECONNECT_MIN_MS;

    assert(conn->state != STATE_CLOSED);
    (void)err_set(&err, ERR_RETRY, "08006", "%s", why);
    sim_say("worker %d: %s connection lost: %s", conn->loop->number, conn->options.name, why);
    conn->state = STATE_WAITING;
    leave_session(conn);
    forget_notices(conn);
    conn->failures++;
    for (int i = 1; i < conn->failures && ceiling < BOUND_RECONNECT_MAX_MS; i++)
        ceiling *= 2;
    timer_start(conn->timer, sim_between(1, ceiling < BOUND_RECONNECT_MAX_MS ? ceiling : BOUND_RECONNECT_MAX_MS));
    list_init(&lost);
    while (!list_is_empty(&conn->sent))
        list_append(&lost, conn->sent.next);
    while (!list_is_empty(&lost)) {
        struct db_unit *unit = LIST_OWNER(lost.next, struct db_unit, node);

        list_remove(&unit->node);
        if (unit->done != NULL)
            unit->done(unit->cookie, NULL, &err);
        unit_free(unit);
    }
    if (is_first)
        conn->options.on_down(conn->options.cookie, &err);
}

/* --- connecting -------------------------------------------------------------------------- */

static void
on_connected(void *cookie)
{
    struct db_conn *conn = cookie;

    conn->loss = NULL;
    if (sim->now_us < sim->down_until_us || sim->now_us < conn->loop->owner->cut_until_us
        || (world_has_faults() && sim_chance(sim->faults.lose_before))) {
        sim_disturb(0);
        drop(conn, "could not connect");
        return;
    }
    conn->state = STATE_UP;
    conn->failures = 0;
    conn->server_no = sim->server_no;
    conn->session = server_connect(conn, conn->loop->owner);
    sim_say("worker %d: %s connection up", conn->loop->number, conn->options.name);
    conn->options.on_up(conn->options.cookie);
}

static void
on_timer(void *cookie)
{
    struct db_conn *conn = cookie;

    if (conn->state == STATE_WAITING) {
        conn->state = STATE_CONNECTING;
        conn->loss = sim_after(conn->loop, 4 * latency_us() + SIM_MS, on_connected, conn);
        return;
    }
    drop(conn, "the database did not answer in time");
}

struct db_conn *
db_conn_new(struct loop *loop, const struct db_conn_options *options)
{
    struct db_conn *conn = must_alloc(sizeof(*conn));

    conn->loop = loop;
    conn->options = *options;
    conn->timer = timer_new(loop, on_timer, conn);
    list_init(&conn->sent);
    list_init(&conn->notices);
    conn->state = STATE_WAITING;
    timer_start(conn->timer, 0);
    return conn;
}

static void
on_lost(void *cookie)
{
    struct db_conn *conn = cookie;

    conn->loss = NULL;
    drop(conn, "broken");
}

void
db_lost(struct db_conn *conn, int64_t notice_after_us)
{
    conn->session = NULL;
    if (conn->loss == NULL)
        conn->loss = sim_after(conn->loop, notice_after_us, on_lost, conn);
}

/* --- sending and answers ------------------------------------------------------------------ */

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

static void
on_answer(void *cookie)
{
    struct db_unit *unit = cookie;
    struct db_conn *conn = unit->conn;
    const char *form = statement_forms[unit->statement];

    assert(conn->sent.next == &unit->node);
    unit->event = NULL;
    list_remove(&unit->node);
    expect_answer(conn);
    if (!unit->has_failed && form != NULL && !db_result_has_form(&unit->rows, form))
        sim_fail("the model's answer to %s has not its form", statements[unit->statement].name);
    if (!unit->has_failed)
        check_answer(conn->loop->owner, unit->statement, &unit->rows);
    if (unit->done != NULL)
        unit->done(unit->cookie, unit->rows.pg == NULL ? NULL : &unit->rows, unit->has_failed ? &unit->err : NULL);
    unit_free(unit);
}

void
db_unit_forget(struct db_unit *unit)
{
    unit->request = NULL;
}

void
db_answered(struct db_unit *unit, struct request *request)
{
    struct session *session = request->session;
    int64_t delay_us = latency_us();

    unit->request = NULL;
    request->unit = NULL;
    unit->rows.pg = request->rows;
    request->rows = NULL;
    unit->has_failed = request->has_failed;
    unit->err = request->err;
    if (sim->now_us + delay_us < session->answers_us)
        delay_us = session->answers_us - sim->now_us; /* In order. */
    session->answers_us = sim->now_us + delay_us;
    unit->event = sim_after(unit->conn->loop, delay_us, on_answer, unit);
}

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

/* For so long a worker may not learn that its peer is gone. */
static int64_t
notice_us(void)
{
    return sim_chance(700) ? sim_between(0, 5 * SIM_MS) : sim_between(0, 20 * SIM_SECOND);
}

static void
send_unit(struct db_conn *conn, const struct db_step *step, int64_t timeout_ms, int64_t lock_timeout_ms, bool is_limited,
    db_done_fn *done, void *cookie)
{
    struct db_unit *unit = must_alloc(sizeof(*unit));
    struct request *request;

    *unit = (struct db_unit){.conn = conn, .done = done, .cookie = cookie, .statement = step->statement};
    list_init(&unit->node);
    list_append(&conn->sent, &unit->node);
    if (conn->sent.next == &unit->node)
        expect_answer(conn);
    check_statement(conn->loop->owner, step->statement);
    if (conn->session == NULL)
        return; /* It is broken already, and nobody knows. */
    if (world_has_faults() && sim_chance(sim->faults.lose_before)) {
        struct session *session = conn->session;
        int64_t delay_us = notice_us();

        sim_disturb(delay_us);
        sim_say("worker %d: the network loses %s", conn->loop->number, statements[step->statement].name);
        db_lost(conn, delay_us);
        server_leave(session, sim_between(0, 10 * SIM_SECOND));
        return;
    }
    request = must_alloc(sizeof(*request));
    list_init(&request->node);
    request->unit = unit;
    unit->request = request;
    request->statement = step->statement;
    for (int i = 0; i < BOUND_PARAMS; i++)
        request->params[i] = step->params[i] == NULL ? NULL : must_strdup(step->params[i]);
    request->is_limited = is_limited;
    request->timeout_ms = timeout_ms;
    request->lock_timeout_ms = lock_timeout_ms;
    server_send(conn->session, request);
}

void
db_conn_send(struct db_conn *conn, const struct db_step *step, db_done_fn *done, void *cookie)
{
    if (!is_lost(conn, done, cookie))
        send_unit(conn, step, 0, 2000, false, done, cookie);
}

void
db_conn_send_limited(
    struct db_conn *conn, const struct db_step *step, int64_t timeout_ms, int64_t lock_timeout_ms, db_done_fn *done, void *cookie)
{
    if (!is_lost(conn, done, cookie))
        send_unit(conn, step, timeout_ms, lock_timeout_ms, true, done, cookie);
}

/* --- notifications ------------------------------------------------------------------------ */

static void
on_notice(void *cookie)
{
    struct notice *notice = cookie;
    struct db_conn *conn = notice->conn;
    char channel[sizeof(notice->channel)];
    char payload[sizeof(notice->payload)];

    memcpy(channel, notice->channel, sizeof(channel));
    memcpy(payload, notice->payload, sizeof(payload));
    list_remove(&notice->node);
    free(notice);
    sim->worked_us = sim->now_us;
    conn->options.on_notify(conn->options.cookie, channel, payload);
}

void
db_notified(struct db_conn *conn, const char *channel, const char *payload)
{
    struct notice *notice;
    int64_t delay_us = latency_us();

    if (conn->state != STATE_UP || conn->options.on_notify == NULL)
        return;
    if (world_has_faults() && sim_chance(sim->faults.lost_notices)) {
        sim_say("worker %d: notification %s is lost", conn->loop->number, payload);
        return;
    }
    if (world_has_faults() && sim_chance(sim->faults.late_notices))
        delay_us = sim_between(0, 5 * SIM_SECOND);
    notice = must_alloc(sizeof(*notice));
    notice->conn = conn;
    (void)snprintf(notice->channel, sizeof(notice->channel), "%s", channel);
    (void)snprintf(notice->payload, sizeof(notice->payload), "%s", payload);
    list_init(&notice->node);
    list_append(&conn->notices, &notice->node);
    notice->event = sim_after(conn->loop, delay_us, on_notice, notice);
}

/* --- the rest of db_conn.h ------------------------------------------------------------------ */

bool
db_conn_is_up(const struct db_conn *conn)
{
    return conn != NULL && conn->state == STATE_UP;
}

bool
db_conn_is_spoilt(const struct db_conn *conn)
{
    (void)conn;
    return false;
}

bool
db_conn_is_direct(const struct db_conn *conn)
{
    (void)conn;
    return true;
}

bool
db_conn_is_same_server(const struct db_conn *conn, const struct db_conn *other)
{
    return conn->server_no == other->server_no;
}

bool
db_conn_acts_as_worker(const struct db_conn *conn)
{
    (void)conn;
    return true;
}

const char *
db_conn_login(const struct db_conn *conn)
{
    (void)conn;
    return "worker_service_user";
}

void
db_conn_cancel(struct db_conn *conn)
{
    if (conn->session != NULL)
        server_cancel(conn->session);
}

void
db_conn_reset(struct db_conn *conn)
{
    if (conn->state == STATE_CLOSED || conn->state == STATE_WAITING)
        return;
    sim_disturb(SIM_SECOND); /* The server may still work on what was sent, and its answers are lost. */
    drop(conn, "reset by us");
}

void
db_conn_leave(struct db_conn *conn)
{
    db_conn_reset(conn);
}

void
db_conn_close(struct db_conn *conn)
{
    if (conn == NULL)
        return;
    conn->state = STATE_CLOSED;
    leave_session(conn);
    forget_notices(conn);
    timer_close(conn->timer);
    while (!list_is_empty(&conn->sent))
        unit_free(LIST_OWNER(conn->sent.next, struct db_unit, node));
    free(conn);
}
