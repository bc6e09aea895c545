/*
 * Waking up.  A notification is only a hint to look for work.  If all notifications are lost, the poll interval limits the
 * delay.
 *
 * NOTIFY takes a lock that serialises commits of the whole database, so enqueuers notify only while a worker sleeps.  A
 * sleeping worker holds a lock exclusively, and enqueuers try to take it shared.  So a worker falls asleep in three steps:
 * it asks for the lock, looks for work once more when it holds the lock, and then sleeps.  It asks for the lock on a
 * connection of its own, because the request may have to wait for the transaction of an enqueuer.  While the request waits,
 * new enqueuers notify already.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

static void ask(struct worker *worker);
static void leave(struct worker *worker);

static void
on_locked(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    (void)result;
    if (err != NULL) {
        /* The wait for an enqueuer's open transaction was too long: ask again. */
        if (worker->gate_state == GATE_ASKED)
            worker->gate_state = GATE_OPEN;
        if (err->kind != ERR_RETRY && look_is_asleep(worker)) {
            look_at_all(worker); /* Other enqueuers may have committed meanwhile. */
            ask(worker);
        }
        return;
    }
    worker->gate_state = GATE_HELD;
    if (worker->agenda.mood == MOOD_BUSY)
        leave(worker);
    else
        look_again(worker); /* Tasks may have been committed before the worker held the lock, in long transactions too. */
}

static void
ask(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_GATE_LOCK};

    if (worker->gate_state != GATE_OPEN || !worker->can_listen || !db_conn_is_up(worker->gate) || worker->is_stopping)
        return;
    worker->gate_state = GATE_ASKED;
    db_conn_send(worker->gate, &step, on_locked, worker);
}

static void
on_left(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    (void)result;
    if (err != NULL)
        return; /* The connection was lost, and the lock with it. */
    worker->gate_state = GATE_OPEN;
    if (look_is_asleep(worker))
        ask(worker);
}

static void
leave(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_GATE_UNLOCK};

    if (worker->gate_state != GATE_HELD || !db_conn_is_up(worker->gate))
        return;
    worker->gate_state = GATE_LEAVING;
    db_conn_send(worker->gate, &step, on_left, worker);
}

void
gate_on_idle(struct worker *worker)
{
    ask(worker);
}

void
gate_on_busy(struct worker *worker)
{
    leave(worker);
}

static void
on_gate_up(void *cookie)
{
    struct worker *worker = cookie;

    worker->gate_state = GATE_OPEN;
    if (look_is_asleep(worker))
        ask(worker);
}

static void
on_gate_down(void *cookie, const struct err *err)
{
    struct worker *worker = cookie;

    (void)err;
    worker->gate_state = GATE_OFF;
}

static void
on_notify(void *cookie, const char *channel, const char *payload)
{
    struct worker *worker = cookie;

    if (worker->is_probing && strcmp(payload, worker->id) == 0) {
        worker->is_probing = false;
        worker->can_listen = true;
        timer_stop(worker->probe_timer);
        log_event(LOG_INFO, "notifications arrive through the proxy", NULL);
        worker->on_probe(worker, true);
    }
    if (strcmp(channel, "worker_queue_change") == 0)
        worker->on_settings(worker);
    if (strcmp(channel, "worker_control") == 0 && strcmp(payload, "cancel") == 0) {
        lease_renew(worker); /* The answer says whether this worker holds the cancelled task. */
        return;
    }
    if (strcmp(channel, "worker_control") == 0 && strcmp(payload, "schedule") == 0) {
        schedules_look(worker);
        return;
    }
    look_on_notice(worker, payload);
}

static void
on_probe_timer(void *cookie)
{
    struct worker *worker = cookie;

    worker->is_probing = false;
    worker->can_listen = false;
    log_event(LOG_WARN, "a proxy pools transactions between us and the database: polling only", "poll_ms",
        LOG_I64(worker->options->poll_ms), NULL);
    worker->on_probe(worker, false);
}

static void
on_probe_sent(void *cookie, const struct db_result *result, const struct err *err)
{
    (void)cookie;
    (void)result;
    (void)err; /* After an error the timer decides. */
}

/* Behind a proxy: tests whether a notification that another connection sends reaches this worker. */
void
gate_probe(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_PROBE, .params = {worker->id}};

    if (!worker->is_probing || !db_conn_is_up(worker->control))
        return;
    timer_start(worker->probe_timer, BOUND_PROBE_MS);
    db_conn_send(worker->control, &step, on_probe_sent, worker);
}

static void
on_listening(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    (void)result;
    if (err != NULL) {
        if (err->kind != ERR_RETRY)
            db_conn_reset(worker->listener); /* The next connection asks again. */
        return;
    }
    FAILPOINT("listen.done");
    if (db_conn_is_direct(worker->listener)) {
        worker->can_listen = true;
    } else {
        worker->is_probing = true;
        gate_probe(worker);
    }
    /* Tasks may have been enqueued before the worker listened. */
    look_at_all(worker);
    if (look_is_asleep(worker))
        ask(worker);
}

static void
on_listener_up(void *cookie)
{
    struct worker *worker = cookie;
    struct db_step queues = {.statement = STATEMENT_LISTEN_QUEUES};
    struct db_step control = {.statement = STATEMENT_LISTEN_CONTROL};
    struct db_step tasks = {.statement = STATEMENT_LISTEN};

    db_conn_send(worker->listener, &queues, NULL, NULL);
    db_conn_send(worker->listener, &control, NULL, NULL);
    db_conn_send(worker->listener, &tasks, on_listening, worker);
}

static void
on_listener_down(void *cookie, const struct err *err)
{
    struct worker *worker = cookie;

    (void)err;
    worker->can_listen = false;
}

void
gate_connect(struct worker *worker)
{
    struct db_conn_options options = {
        .conninfo = worker->options->conninfo,
        .name = "listen",
        .application_name = "reeve listen",
        .on_up = on_listener_up,
        .on_down = on_listener_down,
        .on_notify = on_notify,
        .cookie = worker,
    };

    worker->probe_timer = timer_new(worker->loop, on_probe_timer, worker);
    worker->listener = db_conn_new(worker->loop, &options);
    options.name = "gate";
    options.application_name = "reeve gate";
    options.on_up = on_gate_up;
    options.on_down = on_gate_down;
    options.on_notify = NULL;
    worker->gate = db_conn_new(worker->loop, &options);
}
