/*
 * Direct claims.  When a sleeping worker is notified of a queue, a work connection claims the next task of that queue
 * and runs it in one round trip.  Two transactions are sent together: the claim, and the run of the claimed task.  So
 * the task starts before the worker has seen the answer to the claim.
 *
 * The claim commits without waiting for the disk.  The run commits later in the log, so none of its effects can
 * survive a crash that its lease does not survive.  A crash of the server can lose the lease alone, and with it the
 * count of deaths of a task that may have caused the crash.  So the worker makes no direct claims for a while after it
 * has lost a connection: ordinary claims then find such a task, and its next deaths are counted.
 *
 * A direct claim looks at one lane, the one in which the queue last had work, and takes only plain functions.  For a carrier
 * it takes calls, and their announcement is sent together with the claim; the call is handed over after the answer.  If it
 * finds nothing, or finds that the lane has more tasks, an ordinary claim follows at once.  Otherwise an ordinary claim
 * follows when the run has ended, or a moment later.
 */
#include <inttypes.h>
#include <stdint.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

void
direct_claim_on_loss(struct worker *worker)
{
    worker->claimer.calm_until_ms = INT64_MAX;
}

void
direct_claim_on_return(struct worker *worker)
{
    if (worker->claimer.calm_until_ms == INT64_MAX)
        worker->claimer.calm_until_ms = loop_now_ms(worker->loop) + BOUND_CALM_MS;
}

/* A direct claim finds nothing if another worker was faster or if another kind of work arrived.  The more often that
 * happens, the fewer direct claims the worker makes. */
static void
learn_direct_claim(struct worker *worker, bool was_good)
{
    struct known_queue *queue = settings_queue(worker, worker->claimer.direct_queue);

    if (queue == NULL)
        return;
    queue->misses = was_good ? 0 : queue->misses < BOUND_DIRECT_CLAIMS_OFF / 2 ? queue->misses * 2 + 1 : BOUND_DIRECT_CLAIMS_OFF;
    queue->direct_claims_off = queue->misses;
}

/* Through a proxy, the run may get another session than the claim, so only direct connections count. */
static struct slot *
free_slot(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];

        if (slot_may_claim(slot) && db_conn_is_direct(slot->conn))
            return slot;
    }
    return NULL;
}

static enum task_kind
kind_of(const struct worker *worker)
{
    return worker->options->carrier == NULL ? TASK_RUNS : TASK_CALLS;
}

/* May one more task begin at once? */
static bool
has_room(struct worker *worker, const struct queue_group *group)
{
    if (!list_is_empty(&worker->holdings.waiting[kind_of(worker)]) || room_for(worker, group) < 1)
        return false;
    return worker->options->carrier == NULL || holdings_calls(&worker->holdings) < worker->most_calls;
}

/* Does the answer have one task, or no row? */
static bool
fits(const struct claim *claim, const struct db_result *result, struct err *err)
{
    int64_t id;
    const char *ids;

    if (db_result_rows(result) == 0)
        return true;
    ids = db_result_text(result, 0, CLAIM_IDS);
    return claimed_fits(claim, result, err)
           && ((db_result_rows(result) == 1 && strcmp(db_result_text(result, 0, CLAIM_MODE), "execute") == 0
                   && db_array_next(&ids, &id) && !db_array_next(&ids, &id))
               || err_set(err, ERR_RETRY, "08P01", "the server's answer to a claim makes no sense"));
}

static void
on_claimed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct worker *worker = slot->worker;
    struct claimer *claimer = &worker->claimer;
    struct task *task;
    struct err strange;

    claimer->first.in_flight = false;
    if (err == NULL && !fits(&claimer->first, result, &strange)) {
        slot->must_reset = true;
        err = &strange;
    }
    if (err != NULL || db_result_rows(result) == 0)
        slot->is_holder = false; /* The session may be the reason. */
    if (err != NULL && err->kind == ERR_RETRY) {
        claim_failed(&claimer->first, err);
        return;
    }
    learn_direct_claim(worker, err == NULL && db_result_rows(result) > 0);
    if (err != NULL) {
        /* A function that ran in this session has changed it: use another session, and make an ordinary claim. */
        log_event(LOG_ERROR, "claim by a work connection failed", "sqlstate", err->code, "error", err->message, NULL);
        slot->must_reset = true;
        look_at_queue(worker, claimer->direct_queue);
        return;
    }
    if (claimed_take(&claimer->first, result) == 0) {
        look_at_queue(worker, claimer->direct_queue);
        return;
    }
    FAILPOINT("claim.committed");
    task = LIST_OWNER(worker->holdings.waiting[kind_of(worker)].prev, struct task, node);
    slot_take(slot, task, task->kind == TASK_CALLS ? EVENT_ANNOUNCE_SENT : EVENT_SENT);
    slot->carried++;
    hints_remember(&worker->groups[claimer->first.group].hints, task->queue, db_result_text(result, 0, CLAIM_PRIORITY),
        db_result_text(result, 0, CLAIM_LAST_AT), task->id);
    if (db_result_is_true(result, 0, CLAIM_MORE))
        look_at_queue(worker, task->queue);
    else
        look_soon(worker);
    if (worker->is_hurried)
        slots_cancel(worker);
}

static void
on_executed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct task *task = slot->count > 0 ? slot_first(&slot->tasks) : NULL;

    slot->is_claiming = false;
    if (task == NULL) {
        slot_clear(slot); /* No task was claimed, so none was run. */
    } else if (task->kind == TASK_CALLS) {
        if (err == NULL && db_result_rows(result) == 0) { /* The session lost the record of its claim. */
            task_move(task, EVENT_INTERRUPTED);
            slot_clear(slot);
        } else {
            channels_announced(slot, result, err);
        }
    } else if (err == NULL && (db_result_rows(result) == 0 || db_result_i64(result, 0, 0, 0) != task->id)) {
        run_not_reached(slot); /* The session lost the record of its claim. */
    } else {
        run_executed(slot, result, err);
    }
}

bool
direct_claim_send(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    const struct known_queue *queue = settings_queue(worker, claimer->aim);
    const struct hint *lane = settings_lane(worker, queue);
    struct slot *slot = free_slot(worker);
    bool has_carrier = worker->options->carrier != NULL;
    char lease_text[24];
    char token[24];
    struct db_step hold = {.statement = STATEMENT_HOLD, .params = {worker->id}};
    struct db_step claim = {.statement = STATEMENT_CLAIM_NEXT};
    struct db_step run = {.statement = STATEMENT_EXECUTE_NEXT, .params = {worker->id, token}};

    claimer->aim[0] = '\0';
    if (lane == NULL || slot == NULL || !has_room(worker, &worker->groups[queue->last_group]))
        return false;
    (void)snprintf(lease_text, sizeof(lease_text), "%" PRId64, worker->options->lease_ms);
    (void)snprintf(token, sizeof(token), "%" PRId64, ++claimer->direct_claims);
    (void)snprintf(claimer->direct_queue, sizeof(claimer->direct_queue), "%s", queue->name);
    claimer->first.in_flight = true;
    claimer->first.asked = 1;
    claimer->first.group = queue->last_group;
    claimer->first.sent_ms = loop_now_ms(worker->loop);
    claimer->first.boot_ms = loop_boot_ms();
    claim.params[0] = worker->id;
    claim.params[1] = lane->queue;
    claim.params[2] = lane->priority;
    claim.params[3] = lane->at;
    claim.params[4] = worker->groups[queue->last_group].types;
    claim.params[5] = lease_text;
    claim.params[6] = token;
    slot->use = has_carrier ? SLOT_ANNOUNCE : SLOT_EXECUTE;
    slot->sent_ms = claimer->first.sent_ms;
    slot->boot_ms = claimer->first.boot_ms;
    slot->is_claiming = true;
    slot_plan_again(slot);
    if (!slot->is_holder)
        db_conn_send(slot->conn, &hold, NULL, NULL);
    slot->is_holder = true;
    db_conn_send(slot->conn, &claim, on_claimed, slot);
    FAILPOINT("claim.sent");
    if (has_carrier)
        run = (struct db_step){.statement = STATEMENT_BEGIN_NEXT, .params = {worker->id, token, "1"}};
    db_conn_send_limited(slot->conn, &run, has_carrier ? worker->options->handler_timeout_ms : -1,
        worker->options->lock_timeout_ms, on_executed, slot);
    return true;
}
