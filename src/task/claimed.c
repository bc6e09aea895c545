/*
 * The answer to a claim.  Tasks that are alike come in one row, with arrays of their ids and of their positions in the order of
 * the claim.  The worker takes the tasks in that order.
 */
#include <assert.h>

#include "task/worker_private.h"

struct claimed {
    int row;
    int64_t id;
    int32_t lease_no;
};

/* Index of the channel of a claimed call, or -1.  A direct claim names none: it finds calls of the carrier only. */
static int
channel_of(const struct worker *worker, const char *adapter)
{
    if (adapter != NULL)
        return channel_find(adapter);
    return worker->options->carrier == NULL ? -1 : channel_carried();
}

/* Reads the values that all tasks of a row have in common. */
static void
describe(const struct claim *claim, const struct db_result *result, int row, struct task *ret_task)
{
    struct worker *worker = claim->worker;
    const char *mode = db_result_text(result, row, CLAIM_MODE);
    int group = claim->group;

    *ret_task = (struct task){
        .kind = worker->groups[group].is_calls ? TASK_CALLS : TASK_RUNS,
        .channel = worker->groups[group].is_calls ? channel_of(worker, db_result_text(result, row, CLAIM_ADAPTER)) : -1,
        .queue_limit = worker->groups[group].queue_limit,
        .timeout_ms = db_result_i64(result, row, CLAIM_TIMEOUT, 0),
        .crash_count = (int)db_result_i64(result, row, CLAIM_CRASHES, 0),
        .runs_alone = db_result_is_true(result, row, CLAIM_ALONE),
        .is_noop = strcmp(mode, "complete") == 0,
        .has_parent = db_result_is_true(result, row, CLAIM_HAS_PARENT),
        .needs_prepare = strcmp(mode, "prepare") == 0,
        .worker = worker,
        .group = group,
        .deadline_ms = claim->boot_ms + worker->options->lease_ms,
    };
    (void)snprintf(ret_task->type, sizeof(ret_task->type), "%s", db_result_text(result, row, CLAIM_TYPE));
    (void)snprintf(ret_task->queue, sizeof(ret_task->queue), "%s", db_result_text(result, row, CLAIM_QUEUE));
}

static void
take(
    struct worker *worker, const struct db_result *result, const struct claimed *claimed, const struct task *like, int64_t now_us)
{
    const struct queue_group *group = &worker->groups[like->group];
    bool is_handler = strcmp(db_result_text(result, claimed->row, CLAIM_MODE), "handler") == 0;
    const char *destination = db_result_text(result, claimed->row, CLAIM_DESTINATION);
    struct task *task = holdings_add(&worker->holdings, like, claimed->id, claimed->lease_no);

    traces_claimed(task, now_us);
    if (group->channel >= 0 && !is_handler)
        worker->rates[task->channel].tokens--;
    if (task->kind == TASK_CALLS && !is_handler && !carried_is(task)) {
        task->is_retry = db_result_is_true(result, claimed->row, CLAIM_IS_RETRY);
        task->host = hosts_take(&worker->hosts, destination, channel_has_own_destination(task->channel), task->is_retry);
    }
    if (is_handler)
        finish_later(task, "stored", NULL, NULL, NULL);
}

/* Is the answer complete, in an order, and for known channels? */
bool
claimed_fits(const struct claim *claim, const struct db_result *result, struct err *err)
{
    bool has_position[BOUND_CLAIM] = {false};
    int64_t highest = 0;
    int count = 0;
    bool fits = db_result_rows(result) <= BOUND_CLAIM;

    for (int row = 0; row < db_result_rows(result) && fits; row++) {
        const char *ids = db_result_text(result, row, CLAIM_IDS);
        const char *lease_nos = db_result_text(result, row, CLAIM_LEASES);
        const char *positions = db_result_text(result, row, CLAIM_POSITIONS);
        int64_t id, lease_no, position;

        fits = !claim->worker->groups[claim->group].is_calls
               || channel_of(claim->worker, db_result_text(result, row, CLAIM_ADAPTER)) >= 0;
        while (fits && db_array_next(&positions, &position)) {
            fits = position >= 1 && position <= BOUND_CLAIM && !has_position[position - 1] && db_array_next(&ids, &id)
                   && db_array_next(&lease_nos, &lease_no);
            if (!fits)
                break;
            has_position[position - 1] = true;
            highest = position > highest ? position : highest;
            count++;
        }
        fits = fits && !db_array_next(&ids, &id) && !db_array_next(&lease_nos, &lease_no);
    }
    return (fits && highest == count) || err_set(err, ERR_RETRY, "08P01", "the server's answer to a claim makes no sense");
}

int
claimed_take(struct claim *claim, const struct db_result *result)
{
    struct worker *worker = claim->worker;
    struct claimed *order = must_alloc(sizeof(*order) * BOUND_CLAIM);
    struct task like;
    int64_t now_us = traces_now_us(worker);
    int count = 0;

    for (int row = 0; row < db_result_rows(result); row++) {
        const char *ids = db_result_text(result, row, CLAIM_IDS);
        const char *lease_nos = db_result_text(result, row, CLAIM_LEASES);
        const char *positions = db_result_text(result, row, CLAIM_POSITIONS);
        int64_t id, lease_no, position;
        int64_t last = 0;

        while (db_array_next(&ids, &id) && db_array_next(&lease_nos, &lease_no) && db_array_next(&positions, &position)) {
            assert(position >= 1 && position <= BOUND_CLAIM);
            order[position - 1] = (struct claimed){.row = row, .id = id, .lease_no = (int32_t)lease_no};
            if (position > last)
                claim->last_ids[row] = id;
            last = position > last ? position : last;
            count++;
        }
    }
    for (int i = 0; i < count; i++) {
        if (i == 0 || order[i].row != order[i - 1].row)
            describe(claim, result, order[i].row, &like);
        take(worker, result, &order[i], &like, now_us);
    }
    free(order);
    count_claim(claim, result, count);
    if (count > 0)
        agenda_on_found(&worker->agenda, claim->group, count, loop_now_ms(worker->loop));
    return count;
}
