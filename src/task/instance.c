/*
 * One instance at a time, with --single-instance.  The control connection holds the lock (20545, 1) and makes all claims.
 * When the connection is lost, the lock is lost, too, and the worker claims nothing before it has both again.  Correctness
 * never depends on the lock; the fences guarantee it.
 *
 *   control up -> ask for the lock -> granted: start_worker, free the tasks of a dead predecessor, work
 *                                  -> held by another worker: log its identity, exit code 6
 *
 * Tasks that run when the lock is lost may finish.  Behind a proxy, the worker asks for the lock only after the probe has
 * shown that it has sessions of its own: a proxy that pools transactions would keep the lock.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

bool
instance_may_claim(const struct worker *worker)
{
    return !worker->options->is_single || worker->has_instance;
}

static void ask(struct worker *worker);

static void
on_reset(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    if (err != NULL) {
        if (err->kind != ERR_RETRY)
            log_event(
                LOG_WARN, "could not free the tasks of an earlier worker", "sqlstate", err->code, "error", err->message, NULL);
        return;
    }
    if (db_result_i64(result, 0, 0, 0) > 0)
        log_event(LOG_WARN, "tasks of an earlier worker are free again", "count", db_result_text(result, 0, 0), NULL);
    look_at_all(worker);
}

void
instance_on_started(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_RESET};

    if (worker->options->is_single && !worker->has_instance && worker->can_listen)
        ask(worker); /* This is a new connection through a proxy that was probed before. */
    if (!worker->has_instance || worker->has_reset)
        return;
    worker->has_reset = true;
    db_conn_send(worker->control, &step, on_reset, worker);
}

static void
on_asked(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    if (err != NULL) {
        if (err->kind != ERR_RETRY)
            db_conn_reset(worker->control); /* The next connection asks again. */
        return;
    }
    if (!db_result_is_true(result, 0, 0)) {
        const char *pid = db_result_text(result, 0, 1);

        log_event(LOG_ERROR, "another instance is at work", "pid", pid == NULL ? "unknown" : pid, "role",
            pid == NULL ? "unknown" : db_result_shown(result, 0, 2), "application",
            pid == NULL ? "unknown" : db_result_shown(result, 0, 3), NULL);
        worker_stop(worker, EXIT_INSTANCE);
        return;
    }
    FAILPOINT("lock.acquired");
    worker->has_instance = true;
    log_event(LOG_INFO, "this is the only instance", NULL);
    if (worker->is_started)
        instance_on_started(worker);
    else
        worker_introduce(worker);
    look_at_all(worker);
}

static void
ask(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_INSTANCE};

    if (db_conn_is_up(worker->control) && !worker->has_instance)
        db_conn_send(worker->control, &step, on_asked, worker);
}

/* The control connection is up.  True: the worker introduces itself only when it holds the lock. */
bool
instance_on_control(struct worker *worker)
{
    if (!worker->options->is_single || !db_conn_is_direct(worker->control))
        return false;
    ask(worker);
    return true;
}

void
instance_on_probe(struct worker *worker, bool was_heard)
{
    if (!worker->options->is_single)
        return;
    if (was_heard) {
        ask(worker);
    } else {
        log_event(LOG_ERROR, "--single-instance needs sessions of its own: connect without the proxy", NULL);
        worker_stop(worker, EXIT_CONFIG);
    }
}

void
instance_on_control_lost(struct worker *worker)
{
    if (worker->has_instance)
        FAILPOINT("lock.lost");
    worker->has_instance = false;
}
