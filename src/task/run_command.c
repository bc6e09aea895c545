/*
 * Commands that have a step before their handler.  The step runs in a transaction of its own, so that its effects are visible
 * while the handler runs.  Then the handler runs on the same connection (run_function.c).
 *
 *   decision    action of the worker
 *   run         go on with the handler
 *   completed   none: the command ended in this step, because it was cancelled or the hook failed
 *   expired     give the lease back
 *   fenced      none: the lease was superseded
 *
 * Errors mean the same as in the handler's transaction.  The step is made once per lease, unless
 * its answer was lost.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

static void
on_prepared(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    struct task *task = slot_first(&slot->tasks);
    const char *decision;

    if (err != NULL) {
        run_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("prepare.committed");
    decision = db_result_text(result, 0, 0);
    if (strcmp(decision, "run") == 0) {
        task->needs_prepare = false;
        traces_prepared(task);
        task_move(task, EVENT_PREPARED);
        slot->sent_ms = loop_now_ms(worker->loop);
        run_send(slot);
        return;
    }
    if (strcmp(decision, "expired") == 0) {
        lease_release(worker, task, 0);
    } else if (strcmp(decision, "completed") == 0) {
        const char *outcome = db_result_text(result, 0, 1);

        task_log(task, LOG_DEBUG, "task ended before its handler", NULL, NULL);
        finish_say(task, &(const struct end){.outcome = outcome == NULL ? "cancelled" : outcome,
                             .has_error = db_result_text(result, 0, 3) != NULL || db_result_text(result, 0, 4) != NULL,
                             .name = db_result_text(result, 0, 2),
                             .error_class = db_result_text(result, 0, 3),
                             .error = db_result_text(result, 0, 4)});
        worker->tasks_done++;
        lease_end(worker, task, EVENT_COMMITTED);
    } else {
        lease_end(worker, task, EVENT_LOST);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

void
run_prepare(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct task *task = slot_first(&slot->tasks);
    char id[24];
    char lease_no[16];
    struct db_step step = {.statement = STATEMENT_PREPARE, .params = {worker->id, id, lease_no}};

    assert(slot->count == 1);
    (void)snprintf(id, sizeof(id), "%" PRId64, task->id);
    (void)snprintf(lease_no, sizeof(lease_no), "%" PRId32, task->lease_no);
    db_conn_send_limited(slot->conn, &step, task->timeout_ms, worker->options->lock_timeout_ms, on_prepared, slot);
    FAILPOINT("prepare.sent");
}
