/*
 * Slots: a work connection runs one transaction at a time, with one task or a batch of
 * quick ones.  Everything that is user code runs here, never on the control connection.
 *
 * What an answer means for a task:
 *
 *   a row                     its end is committed
 *   no row (batch stopped)    still ours, next batch
 *   connection lost           nobody knows: ask again; the engine answers "completed" if it was;
 *                             a task that loses it again and again is left to its lease
 *   40001, 40P01, 55P03       finish(transient): the whole transaction again, later
 *   57014                     timed out, or cancelled by us or by somebody else
 *   QU002                     superseded
 *   the server is unwell      give it back for a while
 *   anything else             an error at commit: the work failed; in a batch, each again alone
 */
#include <assert.h>
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

static struct task *
first_task(const struct list *list)
{
    return LIST_OWNER(list->next, struct task, node);
}

bool
run_is_idle(const struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        if (!list_is_empty(&worker->slots[i].tasks))
            return false;
    }
    return true;
}

int
run_capacity(const struct worker *worker)
{
    int up = 0;

    for (int i = 0; i < worker->options->concurrency; i++)
        up += db_conn_is_up(worker->slots[i].conn);
    /* Quick tasks: keep the next batch at hand while one runs. */
    return worker->batch > 1 ? up * worker->batch * 2 : up;
}

/* The batch grows as long as its run fits its time, at most twofold at a step.  What counts
 * is the time in the server without the commit: where commits are slow, batches must be
 * large, not small. */
static void
learn(struct worker *worker, double took_us, int count, int most)
{
    double each_ms = took_us / 1000 / count;
    int fits;

    worker->task_ms = worker->task_ms * 0.7 + each_ms * 0.3;
    fits = worker->task_ms * most <= BOUND_BATCH_MS ? most : (int)(BOUND_BATCH_MS / worker->task_ms);
    if (fits > worker->batch * 2)
        fits = worker->batch * 2;
    worker->batch = fits < 1 ? 1 : fits;
}

static void
slot_take(struct slot *slot, struct task *task)
{
    list_append(&slot->tasks, &task->node);
    slot->count++;
}

/* The slot is free; its tasks have gone elsewhere. */
static void
slot_clear(struct slot *slot)
{
    assert(list_is_empty(&slot->tasks));
    slot->count = 0;
    slot->is_cancelled = false;
    slot->is_report = false;
}

/* Back to the front of the queue; it keeps its lease. */
static void
put_back(struct worker *worker, struct task *task, enum task_event event)
{
    task_move(task, event);
    list_prepend(&worker->waiting, &task->node);
}

static void on_reported(void *cookie, const struct db_result *result, const struct err *err);

static void
send_report(struct slot *slot, struct task *task)
{
    struct worker *worker = slot->worker;
    char id[24];
    char lease_no[16];
    struct db_step step = {.statement = STATEMENT_FINISH, .params = {worker->id, id, lease_no, task->report, task->report_error}};

    assert(slot->count == 1 && first_task(&slot->tasks) == task);
    (void)snprintf(id, sizeof(id), "%" PRId64, task->id);
    (void)snprintf(lease_no, sizeof(lease_no), "%" PRId32, task->lease_no);
    task_move(task, EVENT_REPORT_SENT);
    slot->is_report = true;
    slot->sent_ms = loop_now_ms(worker->loop);
    db_conn_send_limited(slot->conn, &step, worker->options->lease_ms, worker->options->lock_timeout_ms, on_reported, slot);
    FAILPOINT("record.sent");
}

/* Record a failure that the run itself could not record.  It is kept with the task until
 * it has been answered: a lost connection repeats the report, never the run. */
static void
report(struct slot *slot, struct task *task, const char *outcome, const char *error)
{
    task->report = outcome;
    free(task->report_error);
    task->report_error = must_strdup(error);
    task->runs_alone = true;
    send_report(slot, task);
}

static void
on_reported(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    struct task *task = first_task(&slot->tasks);

    if (err == NULL) {
        lease_end(worker, task, strcmp(db_result_text(result, 0, 0), "fenced") == 0 ? EVENT_LOST : EVENT_COMMITTED);
        claim_look(worker); /* If it is to be tried again, the timer must know. */
    } else if (err->kind == ERR_RETRY) {
        put_back(worker, task, EVENT_INTERRUPTED);
    } else {
        task_log(task, LOG_ERROR, "could not record a failure", "error", err->message);
        lease_release(worker, task, BOUND_RECONNECT_MAX_MS);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static bool
is_passing(const char *code)
{
    return strcmp(code, "40001") == 0 || strcmp(code, "40P01") == 0 || strcmp(code, "55P03") == 0;
}

/* Errors of the server or of the set-up, which say nothing about the work: resources,
 * operator intervention, system errors; before the commit also missing rights and missing
 * functions, since user code has its own errors caught.  At commit only user code runs. */
static bool
is_servers_fault(const char *code, bool is_at_commit)
{
    static const char *const prefixes[] = {"53", "58", "XX", "57P", "F0", "42", "25", "0A"};
    size_t count = is_at_commit ? LENGTH(prefixes) - 3 : LENGTH(prefixes);

    for (size_t i = 0; i < count; i++) {
        if (strncmp(code, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

static void
end_cancelled(struct slot *slot, struct task *task)
{
    struct worker *worker = slot->worker;
    int64_t took_ms = loop_now_ms(worker->loop) - slot->sent_ms;
    char text[64];

    if (slot->is_cancelled) {
        lease_release(worker, task, 0);
        slot_clear(slot);
        return;
    }
    if (task->timeout_ms > 0 && took_ms >= task->timeout_ms) {
        (void)snprintf(text, sizeof(text), "timed out after %g s", (double)task->timeout_ms / 1000);
        report(slot, task, "failed", text);
    } else {
        report(slot, task, "failed", "cancelled by a database user");
    }
}

/* One task alone in its transaction, and the transaction failed. */
static void
end_failed(struct slot *slot, struct task *task, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;

    if (strcmp(err->code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
        slot_clear(slot);
    } else if (strcmp(err->code, "55P03") == 0 && strstr(err->message, "being run by another session") != NULL) {
        list_remove(&task->node);
        task_move(task, EVENT_BUSY);
        if (!timer_is_armed(worker->deferred_timer))
            timer_start(worker->deferred_timer, BOUND_BUSY_RETRY_MS);
        slot_clear(slot);
    } else if (is_passing(err->code)) {
        report(slot, task, "transient", err->message);
    } else if (strcmp(err->code, "57014") == 0) {
        end_cancelled(slot, task);
    } else if (is_servers_fault(err->code, is_at_commit)) {
        task_log(task, LOG_ERROR, "task given back, the database could not run it", "error", err->message);
        lease_release(worker, task, BOUND_RECONNECT_MAX_MS);
        slot_clear(slot);
    } else {
        report(slot, task, "failed", err->message);
    }
}

/* A task that loses its connection each time may be what kills it.  Left alone, its lease
 * runs out and counts as a death, so it is contained like one that kills its worker. */
static bool
was_given_up(struct slot *slot, struct task *task)
{
    if (++task->interruptions < BOUND_INTERRUPTIONS)
        return false;
    task_log(task, LOG_WARN, "task left to its lease, its connection was lost each time", NULL, NULL);
    lease_end(slot->worker, task, EVENT_LOST);
    slot_clear(slot);
    return true;
}

static void
unit_failed(struct slot *slot, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;

    if (err->kind != ERR_RETRY && slot->count == 1) {
        end_failed(slot, first_task(&slot->tasks), err, is_at_commit);
        return;
    }
    if (slot->count == 1 && was_given_up(slot, first_task(&slot->tasks)))
        return;
    /* Nobody knows, or one of several did it: each again, alone.  Prepended from the
     * last to the first, they keep their order. */
    while (!list_is_empty(&slot->tasks)) {
        struct task *task = LIST_OWNER(slot->tasks.prev, struct task, node);

        task->runs_alone = true;
        put_back(worker, task, EVENT_INTERRUPTED);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

/* Without the text of the error, which may repeat the payload: it is a fact, for those who
 * may read facts. */
static void
say_outcome(const struct task *task, const char *outcome, bool has_error)
{
    if (has_error)
        task_log(task, LOG_WARN, "task failed", "outcome", outcome);
    else
        task_log(task, strcmp(outcome, "succeeded") == 0 ? LOG_DEBUG : LOG_INFO, "task completed", "outcome", outcome);
}

static struct task *
find_in_slot(const struct slot *slot, int64_t id)
{
    for (struct list *node = slot->tasks.next; node != &slot->tasks; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, node);

        if (task->id == id)
            return task;
    }
    return NULL;
}

static void
take_row(struct slot *slot, const struct db_result *result, int row)
{
    struct worker *worker = slot->worker;
    struct task *task = find_in_slot(slot, db_result_i64(result, row, 0, 0));
    const char *outcome = db_result_text(result, row, 1);
    const char *code = db_result_text(result, row, 4);

    assert(task != NULL);
    if (outcome != NULL && strcmp(outcome, "retry") == 0) {
        task_log(task, LOG_INFO, "task met a passing error, again later", "sqlstate", code == NULL ? "" : code);
        lease_end(worker, task, EVENT_COMMITTED);
        claim_look(worker); /* Its time is soon: the timer must know. */
    } else if (outcome != NULL) {
        say_outcome(task, outcome, db_result_text(result, row, 3) != NULL);
        worker->tasks_done++;
        lease_end(worker, task, EVENT_COMMITTED);
    } else if (code != NULL && strcmp(code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
    } else {
        list_remove(&task->node);
        task_move(task, EVENT_BUSY);
        if (!timer_is_armed(worker->deferred_timer))
            timer_start(worker->deferred_timer, BOUND_BUSY_RETRY_MS);
    }
}

static void
on_executed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    bool is_noop;
    int rows;

    if (err != NULL) {
        unit_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("execute.committed");
    rows = db_result_rows(result);
    is_noop = first_task(&slot->tasks)->is_noop;
    if (rows > 0)
        learn(worker, strtod(db_result_text(result, 0, 5), NULL), rows, is_noop ? BOUND_NOOP_BATCH : BOUND_BATCH);
    for (int i = 0; i < rows; i++)
        take_row(slot, result, i);
    while (!list_is_empty(&slot->tasks)) {
        struct task *task = LIST_OWNER(slot->tasks.prev, struct task, node);

        if (is_noop)
            lease_end(worker, task, EVENT_LOST); /* Nothing is put off there: it was superseded. */
        else
            put_back(worker, task, EVENT_NOT_REACHED);
    }
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static void
send_batch(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct task *first = first_task(&slot->tasks);
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
        task_move(task, EVENT_SENT);
    }
    if (!is_single) {
        buf_puts(&ids, "}");
        buf_puts(&lease_nos, "}");
    }
    step.params[0] = worker->id;
    step.params[1] = ids.text;
    step.params[2] = lease_nos.text;
    slot->sent_ms = loop_now_ms(worker->loop);
    if (first->is_noop)
        db_conn_send(slot->conn, &step, on_executed, slot);
    else
        db_conn_send_limited(slot->conn, &step, first->timeout_ms, worker->options->lock_timeout_ms, on_executed, slot);
    FAILPOINT("execute.sent");
    buf_release(&ids);
    buf_release(&lease_nos);
}

/* As many waiting tasks as go together: quick, with the same timeout. */
static void
fill(struct slot *slot)
{
    struct worker *worker = slot->worker;
    struct task *first = first_task(&worker->waiting);
    int most;

    slot_take(slot, first);
    if (first->report != NULL) {
        task_move(first, EVENT_SENT);
        send_report(slot, first);
        return;
    }
    most = first->is_noop || worker->batch < BOUND_BATCH ? worker->batch : BOUND_BATCH;
    while (!first->runs_alone && slot->count < most && !list_is_empty(&worker->waiting)) {
        struct task *next = first_task(&worker->waiting);

        if (next->runs_alone || next->is_noop != first->is_noop || next->timeout_ms != first->timeout_ms)
            break;
        slot_take(slot, next);
    }
    send_batch(slot);
}

void
run_fill_slots(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (list_is_empty(&worker->waiting))
            return;
        if (list_is_empty(&slot->tasks) && db_conn_is_up(slot->conn))
            fill(slot);
    }
}

void
run_cancel_all(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (list_is_empty(&slot->tasks) || slot->is_report || slot->is_cancelled)
            continue;
        slot->is_cancelled = true;
        db_conn_cancel(slot->conn);
    }
}
