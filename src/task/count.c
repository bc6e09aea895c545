/*
 * Figures of the work.  Each function records one event of a worker whose figures are read; for other workers it returns at
 * once.  The names of labels and values come from the database or from the channels, never from a payload.
 */
#include "task/worker_private.h"

void
count_start(const struct task *task)
{
    struct worker *worker = task->worker;

    worker->health.started_ms = loop_now_ms(worker->loop);
    metrics_add(worker->metrics, METRIC_TASKS_STARTED, METRIC_WITH(task->queue, task->type), 1);
}

void
count_completed(const struct task *task, const char *outcome)
{
    metrics_add(task->worker->metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(task->queue, task->type, outcome), 1);
}

void
count_retried(const struct task *task)
{
    metrics_add(task->worker->metrics, METRIC_TASKS_RETRIED, METRIC_WITH(task->queue, task->type), 1);
}

void
count_handler_failed(const struct task *task)
{
    metrics_add(task->worker->metrics, METRIC_HANDLER_FAILURES, METRIC_WITH(task->queue, task->type), 1);
}

/* The server measures a batch as a whole, so its tasks count with their mean.  Only quick tasks are in batches. */
void
count_run(const struct slot *slot, int done, double took_us)
{
    struct list *node = slot->tasks.next;

    if (slot->worker->metrics == NULL)
        return;
    for (int i = 0; i < done && node != &slot->tasks; i++, node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, node);

        metrics_observe(slot->worker->metrics, METRIC_TASK_RUN, METRIC_WITH(task->type), took_us / 1e6 / done, 1, task->id);
    }
}

void
count_call(const struct task *task, const char *outcome)
{
    struct worker *worker = task->worker;

    metrics_observe(worker->metrics, METRIC_CALL, METRIC_WITH(channel_adapter(task->channel), outcome),
        (double)(loop_now_ms(worker->loop) - task->call_began_ms) / 1000, 1, task->id);
}

/* Counts the tasks of a row, which are between the waits of its first and its last task. */
static void
count_row(struct metrics *metrics, const struct db_result *result, int row, bool is_call)
{
    double first = db_result_number(result, row, CLAIM_FIRST_WAIT);
    double last = db_result_number(result, row, CLAIM_LAST_WAIT);
    const char *queue = db_result_text(result, row, CLAIM_QUEUE);
    const char *type = db_result_text(result, row, CLAIM_TYPE);
    const char *ids = db_result_text(result, row, CLAIM_IDS);
    const char *rest = ids;
    int64_t id;
    int count = 0;

    while (db_array_next(&rest, &id))
        count++;
    /* A rate needs a first value: the first failure of a type would not be seen in a series that begins with it. */
    metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "succeeded"), 0);
    metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "failed"), 0);
    if (db_result_i64(result, row, CLAIM_CRASHES, 0) > 0)
        metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "quarantined"), 0);
    metrics_add(metrics, METRIC_LEASES_LOST, METRIC_WITH(queue), 0);
    if (is_call)
        metrics_add(metrics, METRIC_HANDLER_FAILURES, METRIC_WITH(queue, type), 0);
    for (int i = 0; db_array_next(&ids, &id); i++)
        metrics_observe(metrics, METRIC_TASK_WAIT, METRIC_WITH(queue),
            count < 2 ? first : first + (last - first) * (double)i / (double)(count - 1), 1, id);
}

void
count_claim(const struct claim *claim, const struct db_result *result, int tasks)
{
    struct worker *worker = claim->worker;

    if (worker->metrics == NULL)
        return;
    metrics_observe(worker->metrics, METRIC_CLAIM, NULL, (double)(loop_now_ms(worker->loop) - claim->sent_ms) / 1000, 1, 0);
    metrics_observe(worker->metrics, METRIC_CLAIMED_TASKS, NULL, tasks, 1, 0);
    for (int row = 0; row < db_result_rows(result); row++)
        count_row(worker->metrics, result, row, worker->groups[claim->group].is_calls);
}

void
count_lease(const struct task *task, enum task_event event)
{
    if (event == EVENT_LOST)
        metrics_add(task->worker->metrics, METRIC_LEASES_LOST, METRIC_WITH(task->queue), 1);
    else if (event == EVENT_RELEASED)
        metrics_add(task->worker->metrics, METRIC_LEASES_RELEASED, METRIC_WITH(task->queue), 1);
}
