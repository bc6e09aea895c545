/*
 * Waking up.  A notification is only a hint to look for work.  If all notifications are lost, the poll interval limits the
 * delay.
 *
 * NOTIFY takes a lock that serialises commits of the whole database, so enqueuers notify only while a worker sleeps.  One
 * sleeping worker holds the gate, a lock that every enqueuer tries.  The others follow: they hold a second lock that enqueuers do
 * not know, and hear the same notifications.  So a worker falls asleep in three steps: it enters the gate, looks for work once
 * more, and then sleeps.  It enters on a connection of its own, because that may have to wait for the transactions of enqueuers.
 *
 *   the holder is busy    it keeps the gate while others follow, and tries again to leave
 *   the holder stops      it leaves and notifies its followers; one of them takes the gate
 *   the holder dies       each follower asks once in BOUND_FOLLOW_MS; one of them finds the gate free and takes it
 *   the gate is taken     the new holder notifies its followers.  They look for work, because nobody was notified since the last
 *                         holder died.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

static void ask(struct worker *worker);
static void leave(struct worker *worker);

static bool
follows(const struct worker *worker)
{
    return worker->gate_state == GATE_WAITED || worker->gate_state == GATE_FOLLOWED;
}

bool
gate_is_notified(const struct worker *worker)
{
    return worker->gate_state == GATE_FOLLOWED || worker->gate_state == GATE_HELD;
}

static bool
wants_to_leave(const struct worker *worker)
{
    return worker->agenda.mood == MOOD_BUSY || worker->is_stopping;
}

/* An answer has come.  False: there is none, and the session may have locks that this worker does not know of. */
static bool
take_answer(struct worker *worker, const struct err *err)
{
    worker->is_gate_asked = false;
    if (err != NULL && err->kind != ERR_RETRY)
        db_conn_reset(worker->gate);
    return err == NULL;
}

static void
on_entered(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    enum gate_state before = worker->gate_state;
    const char *answer;

    if (!take_answer(worker, err))
        return;
    answer = db_result_text(result, 0, 0);
    worker->gate_state = strcmp(answer, "held") == 0 ? GATE_HELD : strcmp(answer, "follows") == 0 ? GATE_FOLLOWED : GATE_WAITED;
    if (wants_to_leave(worker)) {
        leave(worker);
        return;
    }
    if (worker->gate_state == GATE_WAITED)
        look_at_all(worker); /* Other enqueuers may have committed meanwhile. */
    else if (worker->gate_state != before)
        look_again(worker); /* Tasks may have been committed before enqueuers notified, in long transactions too. */
    if (worker->gate_state == GATE_WAITED || (worker->gate_state == GATE_FOLLOWED && worker->was_gate_left))
        ask(worker);
    else if (worker->gate_state == GATE_FOLLOWED)
        timer_start(worker->gate_timer, BOUND_FOLLOW_MS);
}

static void
ask(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_GATE_ENTER, .params = {follows(worker) ? "t" : "f"}};

    if (worker->is_gate_asked || !(follows(worker) || worker->gate_state == GATE_OPEN) || !worker->can_listen
        || !db_conn_is_up(worker->gate) || worker->is_stopping)
        return;
    worker->is_gate_asked = true;
    worker->was_gate_left = false;
    timer_stop(worker->gate_timer);
    db_conn_send(worker->gate, &step, on_entered, worker);
}

static void
on_left(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    if (!take_answer(worker, err))
        return;
    if (db_result_is_true(result, 0, 0)) {
        worker->gate_state = GATE_OPEN;
        if (look_is_asleep(worker))
            ask(worker);
        return;
    }
    /* Others sleep, and need the gate. */
    worker->gate_state = GATE_HELD;
    worker->leave_ms = worker->leave_ms * 2 > BOUND_LEAVE_MAX_MS ? BOUND_LEAVE_MAX_MS : worker->leave_ms * 2;
    timer_start(worker->gate_timer, worker->leave_ms);
}

static void
leave(struct worker *worker)
{
    struct db_step step = {
        .statement = STATEMENT_GATE_LEAVE,
        .params = {follows(worker) ? "t" : "f", worker->is_stopping ? "t" : "f"},
    };

    if (worker->is_gate_asked || !(follows(worker) || worker->gate_state == GATE_HELD) || !db_conn_is_up(worker->gate))
        return;
    worker->is_gate_asked = true;
    worker->gate_state = GATE_LEAVING;
    timer_stop(worker->gate_timer);
    db_conn_send(worker->gate, &step, on_left, worker);
}

static void
on_gate_timer(void *cookie)
{
    struct worker *worker = cookie;

    if (wants_to_leave(worker))
        leave(worker);
    else if (follows(worker) && worker->can_listen)
        ask(worker);
    else if (follows(worker))
        timer_start(worker->gate_timer, BOUND_FOLLOW_MS);
}

void
gate_on_idle(struct worker *worker)
{
    if (worker->gate_state == GATE_OPEN)
        ask(worker);
}

void
gate_on_busy(struct worker *worker)
{
    worker->leave_ms = BOUND_LEAVE_MIN_MS / 2;
    leave(worker);
}

void
gate_on_stop(struct worker *worker)
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
    worker->is_gate_asked = false;
    timer_stop(worker->gate_timer);
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
    if (strcmp(channel, "worker_control") == 0 && strcmp(payload, "gate taken") == 0) {
        if (follows(worker))
            look_again(worker);
        return;
    }
    if (strcmp(channel, "worker_control") == 0 && strcmp(payload, "gate left") == 0) {
        worker->was_gate_left = true;
        if (follows(worker))
            ask(worker);
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
    /* Tasks may have been enqueued, and schedules changed, before the worker listened. */
    look_at_all(worker);
    schedules_look(worker);
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
    worker->gate_timer = timer_new(worker->loop, on_gate_timer, worker);
    worker->listener = db_conn_new(worker->loop, &options);
    options.name = "gate";
    options.application_name = "reeve gate";
    options.on_up = on_gate_up;
    options.on_down = on_gate_down;
    options.on_notify = NULL;
    worker->gate = db_conn_new(worker->loop, &options);
}
