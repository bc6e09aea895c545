/*
 * Slots: a work connection carries one transaction at a time, with one task or a batch of quick ones.  All user code runs on
 * work connections, never on the control connection.  Three uses share them in turn, so that none starves the others:
 * recording outcomes, announcing calls, running database work.
 */
#include <assert.h>

#include "task/worker_private.h"

struct task *
slot_first(const struct list *list)
{
    return LIST_OWNER(list->next, struct task, node);
}

bool
slot_is_free(const struct slot *slot)
{
    return list_is_empty(&slot->tasks) && !slot->is_claiming && !slot->is_pruning;
}

bool
slot_may_claim(const struct slot *slot)
{
    return slot_is_free(slot) && !slot->must_reset && !db_conn_is_spoilt(slot->conn) && db_conn_is_up(slot->conn);
}

bool
slots_are_free(const struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        if (!slot_is_free(&worker->slots[i]))
            return false;
    }
    return true;
}

int
slots_up(const struct worker *worker)
{
    int up = 0;

    for (int i = 0; i < worker->options->concurrency; i++)
        up += db_conn_is_up(worker->slots[i].conn);
    return up;
}

void
slot_take(struct slot *slot, struct task *task, enum task_event event)
{
    task_carry(task, event, &slot->tasks);
    slot->count++;
    traces_sent(slot, task, event);
    if (event == EVENT_SENT || event == EVENT_ANNOUNCE_SENT)
        count_start(task);
}

struct task *
slot_find(const struct slot *slot, int64_t id)
{
    for (struct list *node = slot->tasks.next; node != &slot->tasks; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, node);

        if (task->id == id)
            return task;
    }
    return NULL;
}

bool
slot_fits(struct slot *slot, const struct db_result *result, bool has_all, struct err *err)
{
    int64_t ids[BOUND_CALL_BATCH];
    int rows = db_result_rows(result);
    bool fits = rows <= (int)LENGTH(ids) && (!has_all || rows == slot->count);

    for (int row = 0; row < rows && fits; row++) {
        ids[row] = db_result_i64(result, row, 0, 0);
        fits = slot_find(slot, ids[row]) != NULL;
        for (int other = 0; other < row && fits; other++)
            fits = ids[other] != ids[row];
    }
    if (fits)
        return true;
    slot->must_reset = true; /* No answer of this session is certain. */
    log_event(LOG_ERROR, "the server answered for tasks that it was not asked about", NULL);
    return err_set(err, ERR_RETRY, "08P01", "the server answered for tasks that it was not asked about");
}

/* The slot is free; its tasks are in other lists. */
void
slot_clear(struct slot *slot)
{
    assert(list_is_empty(&slot->tasks));
    slot->count = 0;
    slot->is_cancelled = false;
}

/* Learns the size of the next batch.  After a full batch that was quick, the size doubles.  After a batch that took too long,
 * it is halved; a slow machine may be the cause.  After a batch that the server cut short, it is somewhat smaller, or the
 * number of tasks done if that was very small.  The change starts from the size of this batch: other batches that were sent
 * at the same time show the same, and must not count again.
 * The time of the whole batch counts, because a part of it is the same for one task and for fifty.  It is the time in the
 * server without the commit: where commits are slow, batches must be large. */
void
slot_learn(struct slot *slot, int done, double took_us, int most)
{
    struct worker *worker = slot->worker;
    int *batch = &worker->batches[slot->use];
    int fits = slot->count; /* right size of this batch, in tasks */

    if (slot->use == SLOT_EXECUTE && slot->is_cold)
        pace_on_cold(&worker->pace);
    if (slot->use == SLOT_EXECUTE)
        pace_on_batch(&worker->pace, loop_now_ms(worker->loop), done, loop_now_ms(worker->loop) - slot->sent_ms);
    slot->is_warm = true;
    if (slot->is_cold && (took_us > BOUND_BATCH_MS * 1000 || done < fits))
        return; /* Planning took most of the time. */
    if (slot->use == SLOT_EXECUTE)
        worker->is_slow_work = slot->count == 1 && took_us > BOUND_BATCH_MS * 1000;
    if (done > 0 && done < fits)
        fits = done * 8 < fits ? done : (fits * 3 + done) / 4;
    if (took_us > 2 * BOUND_BATCH_MS * 1000)
        fits /= 2;
    if (fits < *batch && fits < slot->count)
        *batch = fits;
    else if (took_us <= BOUND_BATCH_MS * 1000 && done >= *batch)
        *batch = done * 2;
    if (*batch > most)
        *batch = most;
    if (*batch < 1)
        *batch = 1;
}

int
slots_for_quick(const struct worker *worker)
{
    int up = slots_up(worker);

    return !worker->is_slow_work && worker->pace.limit < up ? worker->pace.limit : up;
}

/* The first unit of a connection takes as long as hundreds of quick tasks.  So a backlog begins with the number of
 * connections that was best before, and then tries more. */
void
slots_pace(struct worker *worker)
{
    int warm = 0;

    for (int i = 0; i < worker->options->concurrency; i++)
        warm += worker->slots[i].is_warm;
    pace_init(&worker->pace, warm < BOUND_COLD ? BOUND_COLD : warm, worker->options->concurrency);
}

/* Each connection keeps its plans, which were made for the tables at that time.  In a new database all tables are empty, and
 * a sequential scan is the best plan.  Autovacuum updates the statistics when they have grown, but only once a minute. */
void
slot_plan_again(struct slot *slot)
{
    struct db_step step = {.statement = STATEMENT_PLAN_AGAIN};

    slot->is_cold = slot->carried == 0 || slot->carried >= slot->plan_at;
    if (slot->carried < slot->plan_at)
        return;
    slot->plan_at *= 4;
    db_conn_send(slot->conn, &step, NULL, NULL);
}

/* Ends the run of a cancelled task; the release of its lease completes it.  Other tasks of its batch are run again, alone. */
void
slots_interrupt(struct worker *worker, const struct task *task)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (slot->use != SLOT_EXECUTE || slot->is_cancelled || slot_find(slot, task->id) != task)
            continue;
        task_log(task, LOG_INFO, "task is cancelled while it runs", NULL, NULL);
        slot->is_cancelled = true;
        slot->must_reset = true;
        db_conn_cancel(slot->conn);
    }
}

/* Cancels the runs of tasks that may be released.  Outcomes are still recorded. */
void
slots_cancel(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (list_is_empty(&slot->tasks) || slot->use == SLOT_FINISH || slot->is_cancelled)
            continue;
        slot->is_cancelled = true;
        db_conn_cancel(slot->conn);
    }
}
