/*
 * Database work: queues.execute, for one task or for a batch.  The answers, and their meaning for a task:
 *
 *   a row                     the end of the task is committed
 *   no row (batch stopped)    the worker keeps the task for the next batch
 *   connection lost           the result is not known: the worker asks again, and the engine answers "completed" if it was;
 *                             a task that loses its connection again and again is left to its lease
 *   40001, 40P01, 55P03       finish(transient): the whole transaction is run again later
 *   57014                     timed out, or cancelled by the worker or by somebody else
 *   QU002                     superseded
 *   QU008                     another session runs the task at this moment: the worker asks again later
 *   the server is unwell      the worker releases the task for a while
 *   anything else             an error at commit: the work failed; each task of a batch is run again alone
 */
#include <assert.h>
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

/* The server has one code for a timeout and for a cancelled statement; its message tells which.  If the message is in another
 * language, the time decides, with a tolerance for the difference of the two clocks. */
char *
run_why_cancelled(const struct slot *slot, const char *message, int64_t timeout_ms)
{
    int64_t took_ms = loop_now_ms(slot->worker->loop) - slot->sent_ms;
    bool is_timeout = timeout_ms > 0 && took_ms >= timeout_ms - timeout_ms / 10;

    if (timeout_ms > 0 && strstr(message, "statement timeout") != NULL)
        is_timeout = true;
    else if (strstr(message, "user request") != NULL)
        is_timeout = false;
    return is_timeout ? must_format("timed out after %g s", (double)timeout_ms / 1000)
                      : must_strdup("cancelled by a database user");
}

/* The transaction of a task that ran alone has failed. */
static void
end_failed(struct slot *slot, struct task *task, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;

    /* QU codes come from the engine.  At commit only triggers of users raise errors. */
    if (!is_at_commit && strcmp(err->code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
    } else if (!is_at_commit && strcmp(err->code, "QU008") == 0) {
        lease_defer(worker, task);
    } else if (sqlstate_is_passing(err->code)) {
        finish_run_later(task, "transient", must_strdup(err->message), err->code);
    } else if (strcmp(err->code, "57014") == 0 && slot->is_cancelled) {
        lease_release(worker, task, 0);
    } else if (strcmp(err->code, "57014") == 0) {
        finish_run_later(task, "failed", run_why_cancelled(slot, err->message, task->timeout_ms), err->code);
    } else if (sqlstate_is_servers_fault(err->code, is_at_commit)) {
        task_log(task, LOG_ERROR, "task given back, the database could not run it", "error", err->message);
        lease_release(worker, task, BOUND_RECONNECT_MAX_MS);
    } else {
        finish_run_later(task, "failed", must_strdup(err->message), err->code);
    }
}

/* A task that loses its connection each time may be the cause.  The worker leaves it to its lease, which runs out and counts
 * as a death.  So the task is contained like one that kills its worker. */
static bool
was_given_up(struct slot *slot, struct task *task)
{
    if (++task->interruptions < BOUND_INTERRUPTIONS)
        return false;
    task_log(task, LOG_WARN, "task left to its lease, its connection was lost each time", NULL, NULL);
    lease_end(slot->worker, task, EVENT_LOST);
    return true;
}

void
run_failed(struct slot *slot, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;

    if (err->kind != ERR_RETRY && slot->count == 1)
        end_failed(slot, slot_first(&slot->tasks), err, is_at_commit);
    else if (slot->count == 1)
        (void)was_given_up(slot, slot_first(&slot->tasks));
    /* The result is not known, or one of several tasks failed: each is run again, alone.  They are prepended from the last to
     * the first, so that they keep their order. */
    while (!list_is_empty(&slot->tasks)) {
        struct task *task = LIST_OWNER(slot->tasks.prev, struct task, node);

        task->runs_alone = true;
        task_move(task, EVENT_INTERRUPTED);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static void
end_done(struct worker *worker, struct task *task)
{
    finish_say(task, &(const struct end){.outcome = "succeeded"});
    worker->tasks_done++;
    lease_end(worker, task, EVENT_COMMITTED);
}

static void
take_row(struct slot *slot, const struct db_result *result, int row)
{
    struct worker *worker = slot->worker;
    struct task *task = slot_find(slot, db_result_i64(result, row, 0, 0));
    const char *outcome = db_result_text(result, row, 1);
    const char *code = db_result_text(result, row, 4);

    assert(task != NULL);
    if (outcome != NULL && strcmp(outcome, "retry") == 0) {
        task_log(task, LOG_INFO, "task met a passing error, again later", "sqlstate", code == NULL ? "" : code);
        count_retried(task);
        traces_say(task, "retry", code, true);
        lease_end(worker, task, EVENT_COMMITTED);
        look_at_all(worker); /* The task is due again soon. */
    } else if (outcome != NULL && strcmp(outcome, "waiting") == 0) {
        task_log(task, LOG_DEBUG, "task waits for its children", NULL, NULL);
        traces_say(task, outcome, NULL, false);
        lease_end(worker, task, EVENT_COMMITTED);
        look_at_all(worker); /* This worker may claim the children. */
    } else if (outcome != NULL) {
        const struct end end = {.outcome = outcome,
            .has_error = db_result_text(result, row, 3) != NULL,
            .name = db_result_text(result, row, 6),
            .error_class = db_result_text(result, row, 7) != NULL ? db_result_text(result, row, 7) : code,
            .error = db_result_text(result, row, 8)};

        finish_say(task, &end);
        worker->tasks_done++;
        lease_end(worker, task, EVENT_COMMITTED);
    } else if (code != NULL && strcmp(code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
    } else {
        lease_defer(worker, task);
    }
}

/* Tasks without a row in the answer wait again. */
void
run_not_reached(struct slot *slot)
{
    struct worker *worker = slot->worker;

    while (!list_is_empty(&slot->tasks))
        task_move(LIST_OWNER(slot->tasks.prev, struct task, node), EVENT_NOT_REACHED);
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

void
run_executed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct err strange;

    if (err != NULL) {
        run_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("execute.committed");
    if (!slot_fits(slot, result, false, &strange)) {
        run_failed(slot, &strange, false);
        return;
    }
    slot_learn(slot, db_result_rows(result), db_result_number(result, 0, 5), BOUND_BATCH);
    count_run(slot, db_result_rows(result), db_result_number(result, 0, 5));
    traces_ran(slot, db_result_rows(result), db_result_number(result, 0, 5));
    for (int i = 0; i < db_result_rows(result); i++)
        take_row(slot, result, i);
    run_not_reached(slot);
}

/* The answer for tasks that do nothing: all are completed, or the answer names the completed ones.  The database puts none of
 * them off, so the others were superseded. */
static void
on_noops_completed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    int done;

    if (err != NULL) {
        run_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("execute.committed");
    done = (int)db_result_i64(result, 0, 0, 0);
    slot_learn(slot, done, db_result_number(result, 0, 2), BOUND_NOOP_BATCH);
    count_run(slot, done, db_result_number(result, 0, 2));
    if (done == slot->count) {
        while (!list_is_empty(&slot->tasks))
            end_done(worker, slot_first(&slot->tasks));
    } else {
        const char *ids = db_result_text(result, 0, 1);
        int64_t id;

        while (db_array_next(&ids, &id)) {
            struct task *task = slot_find(slot, id);

            if (task != NULL)
                end_done(worker, task);
        }
        while (!list_is_empty(&slot->tasks))
            lease_end(worker, slot_first(&slot->tasks), EVENT_LOST);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

void
run_send(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct task *first = slot_first(&slot->tasks);
    struct buf ids;
    struct buf lease_nos;
    bool is_single = slot->count == 1 && !first->is_noop;
    struct db_step step = {.statement = first->is_noop ? STATEMENT_COMPLETE_NOOP
                                        : is_single    ? STATEMENT_EXECUTE
                                                       : STATEMENT_EXECUTE_BATCH};

    buf_init(&ids, BOUND_CLAIM * 24);
    buf_init(&lease_nos, BOUND_CLAIM * 16);
    for (struct list *node = slot->tasks.next; node != &slot->tasks; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, node);
        const char *separator = is_single ? "" : ids.length == 0 ? "{" : ",";

        buf_printf(&ids, "%s%" PRId64, separator, task->id);
        buf_printf(&lease_nos, "%s%" PRId32, separator, task->lease_no);
    }
    if (!is_single) {
        buf_puts(&ids, "}");
        buf_puts(&lease_nos, "}");
    }
    step.params[0] = worker->id;
    step.params[1] = ids.text;
    step.params[2] = lease_nos.text;
    db_conn_send_limited(slot->conn, &step, first->timeout_ms, worker->options->lock_timeout_ms,
        first->is_noop ? on_noops_completed : run_executed, slot);
    FAILPOINT("execute.sent");
    buf_release(&ids);
    buf_release(&lease_nos);
}

/* Sends as many waiting tasks as fit into one batch: quick ones with the same timeout. */
void
run_functions(struct slot *slot)
{
    struct worker *worker = slot->worker;
    const struct list *waiting = &worker->holdings.waiting[TASK_RUNS];
    struct task *first = slot_first(waiting);
    int batch = worker->batches[SLOT_EXECUTE];
    int most = first->is_noop || batch < BOUND_BATCH ? batch : BOUND_BATCH;

    slot_take(slot, first, EVENT_SENT);
    if (first->needs_prepare) {
        run_prepare(slot);
        return;
    }
    while (!first->runs_alone && slot->count < most && !list_is_empty(waiting)) {
        struct task *next = slot_first(waiting);

        if (next->runs_alone || next->needs_prepare || next->is_noop != first->is_noop || next->timeout_ms != first->timeout_ms)
            break;
        slot_take(slot, next, EVENT_SENT);
    }
    run_send(slot);
}
