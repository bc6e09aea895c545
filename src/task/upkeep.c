/*
 * Upkeep: the sign of life, the search for processes without a run and for parents without children, retention, sealing of
 * secrets that were written by SQL, and feeding the watchdog.  All of it is engine code, so it uses the control
 * connection, except retention, which may take a while.  A failure is logged, and the upkeep is tried again the next time.
 */
#include "base/failpoint.h"
#include "loop/notify.h"
#include "task/worker_private.h"

static bool
can_send(const struct worker *worker)
{
    return worker->is_started && !worker->is_stopping && db_conn_is_up(worker->control);
}

static void
warn_failed(const char *what, const struct err *err)
{
    if (err->kind != ERR_RETRY)
        log_event(LOG_WARN, what, "sqlstate", err->code, "error", err->message, NULL);
}

static void
on_alive(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    int64_t now_ms = loop_now_ms(worker->loop);
    const char *types;

    if (err != NULL) {
        warn_failed("could not give a sign of life", err);
        return;
    }
    /* Once an hour, warn of waiting tasks that no live worker serves. */
    types = db_result_text(result, 0, 0);
    if (types == NULL || types[0] == '\0')
        return;
    if (worker->last_unserved != NULL && strcmp(worker->last_unserved, types) == 0
        && now_ms - worker->unserved_warned_ms < BOUND_PRUNE_MS)
        return;
    free(worker->last_unserved);
    worker->last_unserved = must_strdup(types);
    worker->unserved_warned_ms = now_ms;
    log_event(LOG_WARN, "tasks are waiting that no live worker serves", "task_types", types, NULL);
}

static void
on_alive_timer(void *cookie)
{
    struct worker *worker = cookie;
    struct db_step step = {.statement = STATEMENT_ALIVE, .params = {worker->id, NULL, worker->types}};
    struct buf names, left_ms;

    timer_start(worker->alive_timer, BOUND_ALIVE_MS);
    /* The queues are known if one set of groups serves them all and no option says "all others". */
    if (worker->group_count == channel_count() + 2)
        step.params[1] = worker->groups[0].queues;
    buf_init(&names, BOUND_HOST_LIST_BYTES);
    buf_init(&left_ms, BOUND_HOST_LIST_BYTES);
    hosts_closed(&worker->hosts, loop_now_ms(worker->loop), &names, &left_ms);
    if (names.length > 0) {
        step.params[3] = names.text;
        step.params[4] = left_ms.text;
    }
    if (can_send(worker) && worker->types != NULL)
        db_conn_send(worker->control, &step, on_alive, worker);
    buf_release(&names);
    buf_release(&left_ms);
}

static void
on_swept(void *cookie, const struct db_result *result, const struct err *err)
{
    (void)cookie;
    if (err != NULL)
        warn_failed("sweep of processes failed", err);
    else if (db_result_i64(result, 0, 0, 0) > 0)
        log_event(LOG_ERROR, "processes had neither a run nor an end", "count", db_result_text(result, 0, 0), NULL);
}

static void
on_rescued(void *cookie, const struct db_result *result, const struct err *err)
{
    (void)cookie;
    if (err != NULL)
        warn_failed("search for waiting parents failed", err);
    else if (db_result_i64(result, 0, 0, 0) > 0)
        log_event(LOG_ERROR, "parents waited for children that had ended", "count", db_result_text(result, 0, 0), NULL);
}

static void
on_sweep_timer(void *cookie)
{
    struct worker *worker = cookie;
    struct db_step step = {.statement = STATEMENT_SWEEP};
    struct db_step rescue = {.statement = STATEMENT_RESCUE};

    timer_start(worker->sweep_timer, BOUND_SWEEP_MS);
    worker->must_roll_up = true;
    if (can_send(worker))
        db_conn_send(worker->control, &step, on_swept, worker);
    if (can_send(worker))
        db_conn_send(worker->control, &rescue, on_rescued, worker);
    FAILPOINT("sweep.mid");
}

static void
on_pruned(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    int64_t count;

    slot->is_pruning = false;
    if (err != NULL) {
        warn_failed("retention failed", err);
        return;
    }
    count = db_result_i64(result, 0, 0, 0);
    if (count == 0)
        return;
    log_event(LOG_INFO, "old tasks removed", "count", LOG_I64(count), NULL);
    timer_start(worker->prune_timer, 1000); /* There is more to remove, in small steps. */
}

static void
on_prune_timer(void *cookie)
{
    struct worker *worker = cookie;
    struct db_step step = {.statement = STATEMENT_PRUNE};

    timer_start(worker->prune_timer, BOUND_PRUNE_MS);
    /* Retention may take a while, so it does not use the control connection. */
    for (int i = 0; i < worker->options->concurrency && can_send(worker); i++) {
        struct slot *slot = &worker->slots[i];

        if (slot_is_free(slot) && db_conn_is_up(slot->conn)) {
            slot->is_pruning = true;
            db_conn_send(slot->conn, &step, on_pruned, slot);
            return;
        }
    }
    timer_start(worker->prune_timer, BOUND_SWEEP_MS);
}

static void
on_rolled_up(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;

    (void)result;
    slot->is_pruning = false;
    if (err != NULL)
        warn_failed("throughput was not added up", err);
}

/* The throughput of busy minutes takes a while to add up, and comes before other work: a busy worker has no free connection. */
bool
upkeep_use(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct db_step step = {.statement = STATEMENT_ROLL_UP};

    if (!worker->must_roll_up || !can_send(worker))
        return false;
    worker->must_roll_up = false;
    slot->is_pruning = true;
    db_conn_send(slot->conn, &step, on_rolled_up, slot);
    return true;
}

static void
on_sealed(void *cookie, const struct db_result *result, const struct err *err)
{
    (void)cookie;
    (void)result;
    if (err != NULL)
        warn_failed("could not seal a secret", err);
}

static void
on_unsealed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    if (err != NULL) {
        warn_failed("could not look for secrets to seal", err);
        return;
    }
    for (int row = 0; row < db_result_rows(result) && can_send(worker); row++) {
        const char *plain = db_result_text(result, row, 2);
        const char *name = db_result_text(result, row, 1);
        char *sealed = channel_seal(worker->channels, name, plain);
        struct db_step step = {
            .statement = STATEMENT_SEAL, .params = {worker->id, db_result_text(result, row, 0), name, plain, sealed}};

        if (sealed != NULL)
            db_conn_send(worker->control, &step, on_sealed, worker);
        free(sealed);
    }
}

static void
on_seal_timer(void *cookie)
{
    struct worker *worker = cookie;
    struct db_step step = {.statement = STATEMENT_UNSEALED, .params = {worker->id}};
    char *probe = channel_seal(worker->channels, "", "");

    timer_start(worker->seal_timer, worker->options->poll_ms < 1000 ? 1000 : worker->options->poll_ms);
    if (probe != NULL && can_send(worker))
        db_conn_send(worker->control, &step, on_unsealed, worker);
    free(probe);
}

static void
on_watchdog_timer(void *cookie)
{
    struct worker *worker = cookie;

    notify_alive();
    timer_start(worker->watchdog_timer, notify_watchdog_ms());
}

void
upkeep_start(struct worker *worker)
{
    worker->alive_timer = timer_new(worker->loop, on_alive_timer, worker);
    worker->sweep_timer = timer_new(worker->loop, on_sweep_timer, worker);
    worker->prune_timer = timer_new(worker->loop, on_prune_timer, worker);
    worker->seal_timer = timer_new(worker->loop, on_seal_timer, worker);
    worker->watchdog_timer = timer_new(worker->loop, on_watchdog_timer, worker);
    timer_start(worker->alive_timer, 100);
    timer_start(worker->sweep_timer, BOUND_SWEEP_MS);
    timer_start(worker->prune_timer, BOUND_SWEEP_MS);
    timer_start(worker->seal_timer, 200);
    if (notify_watchdog_ms() > 0)
        timer_start(worker->watchdog_timer, 0);
}

void
upkeep_tell_soon(struct worker *worker)
{
    timer_start(worker->alive_timer, BOUND_ALIVE_SOON_MS);
}

void
upkeep_stop(struct worker *worker)
{
    timer_close(worker->alive_timer);
    timer_close(worker->sweep_timer);
    timer_close(worker->prune_timer);
    timer_close(worker->seal_timer);
    timer_close(worker->watchdog_timer);
    free(worker->last_unserved);
}
