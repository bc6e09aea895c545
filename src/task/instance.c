/*
 * One instance at a time, if that is asked for.  The lock (20545, 1) belongs to the control
 * connection, over which all claims go: when it is lost, so is the lock, and nothing is claimed
 * before both are ours again.  Correctness never rests on it; the fences do.
 *
 *   control up -> ask for the lock -> ours: start_worker, free what a dead predecessor held, work
 *                                  -> somebody else's: say whose, exit code 6
 *
 * What runs when the lock is lost may finish.  Behind a proxy the lock is asked for only when the
 * probe has shown that sessions are ours: a proxy that pools transactions would keep it.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

enum { EXIT_PROXY = 3, EXIT_TAKEN = 6 };

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
            log_event(LOG_WARN, "could not free what an earlier worker held", "sqlstate", err->code, "error", err->message, NULL);
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
        ask(worker); /* Through a proxy that has been probed, on a new connection. */
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
            db_conn_reset(worker->control); /* Asked again with the next connection. */
        return;
    }
    if (!db_result_is_true(result, 0, 0)) {
        const char *pid = db_result_text(result, 0, 1);

        log_event(LOG_ERROR, "another instance is at work", "pid", pid == NULL ? "unknown" : pid, "role",
            pid == NULL ? "unknown" : db_result_shown(result, 0, 2), "application",
            pid == NULL ? "unknown" : db_result_shown(result, 0, 3), NULL);
        worker_stop(worker, EXIT_TAKEN);
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

/* The control connection is up.  True: the worker introduces itself only when the lock is ours. */
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
        log_event(LOG_ERROR, "one instance at a time needs sessions of its own: connect without the proxy", NULL);
        worker_stop(worker, EXIT_PROXY);
    }
}

void
instance_on_control_lost(struct worker *worker)
{
    if (worker->has_instance)
        FAILPOINT("lock.lost");
    worker->has_instance = false;
}
