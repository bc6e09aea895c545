/*
 * Claims: their reach, and the effects of their answers.
 *
 * At most one claim is in flight on the control connection.  In a backlog, a free work connection makes a second claim
 * beside it.  No claim asks for more tasks than there is room for.
 *
 * In each queue and priority, a claim starts at the position of the last one (a hint).  So it does not walk over rows that
 * others have taken and that an old snapshot still pins.  In a backlog a claim starts right behind the last task.  Now and
 * then, and when a claim found fewer tasks than it asked for, the next one starts a second before it.  A claim starts from
 * the very front: at the start; when an overlapping claim also found too few tasks, but not within a tenth of a second
 * after the last claim from the front; before the worker ends because nothing is left; and otherwise once a second.  When
 * these claims are slow, their intervals grow, to at most ten seconds.  So a task that was committed late or dated back is
 * found a little later, and is never missed.
 */
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

static void
remember_lane(const struct claim *claim, const char *queue, const char *priority)
{
    struct known_queue *known = settings_queue(claim->worker, queue);

    if (known == NULL)
        return;
    known->last_group = claim->group;
    (void)snprintf(known->last_priority, sizeof(known->last_priority), "%s", priority);
}

/* Appends all queues but those that filled the group's last claim: one backlog must not hide the others. */
static void
add_other_queues(const struct worker *worker, const struct queue_group *group, struct buf *literal)
{
    const char *separator = "";

    buf_puts(literal, "{");
    for (int i = 0; i < worker->queue_count; i++) {
        bool was_full = false;

        for (int j = 0; j < group->full_count; j++)
            was_full = was_full || strcmp(group->full_queues[j], worker->queues[i].name) == 0;
        if (was_full)
            continue;
        buf_printf(literal, "%s\"%s\"", separator, worker->queues[i].name);
        separator = ",";
    }
    buf_puts(literal, "}");
}

/* Writes the lanes of the group, and those that only other groups know, so that the claim need not look for them. */
static void
add_hints(const struct worker *worker, const struct queue_group *group, bool is_exact, struct buf *json)
{
    int64_t age_ms = loop_now_ms(worker->loop) - group->since_ms + (is_exact ? 0 : 1000);
    struct hints lanes = {0};

    if (!group->has_since) {
        hints_write(&group->hints, is_exact, -1, json);
        return;
    }
    hints_join(&lanes, &group->hints);
    for (int i = 0; i < worker->group_count; i++)
        hints_learn(&lanes, &worker->groups[i].hints);
    hints_write(&lanes, is_exact, (double)age_ms / 1000, json);
    hints_release(&lanes);
}

static void
note_full(struct queue_group *group, const char *queue)
{
    for (int i = 0; i < group->full_count; i++) {
        if (strcmp(group->full_queues[i], queue) == 0)
            return;
    }
    if (group->full_count < (int)LENGTH(group->full_queues))
        (void)snprintf(group->full_queues[group->full_count++], sizeof(group->full_queues[0]), "%s", queue);
}

static bool
has_one_host(const struct db_result *result)
{
    const char *first = db_result_text(result, 0, CLAIM_DESTINATION);

    for (int i = 1; i < db_result_rows(result) && first != NULL; i++) {
        const char *host = db_result_text(result, i, CLAIM_DESTINATION);

        if (host == NULL || strcmp(host, first) != 0)
            return false;
    }
    return first != NULL;
}

/* The worker starts no task of a claim that was not acknowledged.  If the claim did commit, its leases run out. */
void
claim_failed(struct claim *claim, const struct err *err)
{
    struct worker *worker = claim->worker;
    int64_t now_ms = loop_now_ms(worker->loop);

    metrics_add(worker->metrics, METRIC_CLAIMS_FAILED, NULL, 1);
    claim->not_before_ms = now_ms + BOUND_BUSY_RETRY_MS;
    agenda_on_failed(&worker->agenda, claim->group, claim == &worker->claimer.second, claim->is_beside, now_ms);
    if (err->kind != ERR_RETRY)
        log_event(LOG_ERROR, "claim failed", "sqlstate", err->code, "error", err->message, NULL);
}

/* Records where the next claim begins.  If the claim passed over tasks of a full host, the old position is kept, so that they
 * are found again.  If such claims are slow, the position moves on, and a claim from the front finds these tasks.  If all tasks
 * have one host, the tasks that were cut off come after the new position. */
static void
learn_positions(const struct claim *claim, const struct db_result *result, bool is_cut, int64_t took_ms)
{
    struct queue_group *group = &claim->worker->groups[claim->group];
    int rows = db_result_rows(result);

    if (rows > 0)
        remember_lane(claim, db_result_text(result, 0, CLAIM_QUEUE), db_result_text(result, 0, CLAIM_PRIORITY));
    if ((claim->is_limited || (is_cut && !has_one_host(result))) && took_ms <= BOUND_BATCH_MS * 2)
        return;
    for (int i = 0; i < rows; i++)
        hints_remember(&group->hints, db_result_text(result, i, CLAIM_QUEUE), db_result_text(result, i, CLAIM_PRIORITY),
            db_result_text(result, i, CLAIM_LAST_AT), claim->last_ids[i]);
}

/* Time before the next look behind the tasks of full hosts, after a look there has found nothing. */
static int64_t
rest_behind_ms(int64_t took_ms)
{
    if (took_ms * 20 < BOUND_BEHIND_MS)
        return took_ms * 20;
    return took_ms * 4 < BOUND_BEHIND_MS ? BOUND_BEHIND_MS : took_ms * 4;
}

static void
take_answer(struct claim *claim, const struct db_result *result)
{
    struct worker *worker = claim->worker;
    struct queue_group *group = &worker->groups[claim->group];
    struct agenda_rooms rooms = look_rooms(worker);
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t took_ms = now_ms - claim->sent_ms;
    int rows = db_result_rows(result); /* each row has tasks that are alike */
    int suspects = worker->holdings.suspects;
    struct agenda_answer answer = {
        .group = claim->group,
        .reach = claim->reach,
        .sent_ms = claim->sent_ms,
        .asked = claim->asked,
        .is_second = claim == &worker->claimer.second,
        .is_beside = claim->is_beside,
        .is_fair = claim->is_fair,
        .is_limited = claim->is_limited,
        .is_gate_held = gate_is_notified(worker),
    };

    if (rows > 0)
        FAILPOINT("claim.committed");
    group->full_count = 0;
    answer.count = claimed_take(claim, result);
    if (suspects > 0 && answer.count > 0)
        lease_release_last(
            worker, answer.count); /* The other claim has brought a suspect, and the worker holds a suspect alone. */
    if (worker->holdings.suspects > suspects)
        agenda_force_front(
            &worker->agenda, claim->group); /* The other claim has passed over the rows that this claim released. */
    /* A destination of our own has more places than the claim allowed for it, if the claim did not name it. */
    answer.is_cut = group->is_calls && worker->options->carrier == NULL && rows > 0 && answer.count < claim->asked
                    && (hosts_are_full(&worker->hosts, now_ms) || answer.count >= claim->other_room);
    if (claim->is_limited && rows == 0)
        group->behind_due_ms = now_ms + rest_behind_ms(took_ms);
    learn_positions(claim, result, answer.is_cut, took_ms);
    if (answer.count < claim->asked && !claim->is_fair && !answer.is_cut && !claim->is_limited && !claim->is_beside) {
        group->has_since = true;
        group->since_ms = claim->sent_ms;
    }
    if (!group->is_calls && answer.count > 0)
        worker->claimer.took_ms = took_ms;
    if (!group->is_calls && !claim->is_fair && claim->reach != REACH_EXACT && answer.count < claim->asked)
        pace_on_short(&worker->pace);
    for (int i = 0; i < rows && answer.count >= claim->asked; i++)
        note_full(group, db_result_text(result, i, CLAIM_QUEUE));
    agenda_on_answer(&worker->agenda, &answer, &rooms, now_ms);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static void
on_claimed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct claim *claim = cookie;
    struct err strange;

    claim->in_flight = false;
    if (claim->slot != NULL)
        claim->slot->is_claiming = false;
    if (err == NULL && !claimed_fits(claim, result, &strange)) {
        log_event(LOG_ERROR, "connection dropped", "error", strange.message, NULL);
        claim_failed(claim, &strange);
        if (claim->slot != NULL)
            claim->slot->must_reset = true;
        else
            db_conn_reset(claim->worker->control);
        return;
    }
    if (err == NULL) {
        claim->is_gone = false;
        take_answer(claim, result);
        return;
    }
    claim_failed(claim, err);
    if (claim->slot != NULL && err->kind != ERR_RETRY) {
        claim->slot->must_reset = true; /* A function that ran in this session has changed it. */
    } else if (strcmp(err->code, "42883") == 0 && !claim->is_gone) {
        claim->is_gone = true;
    } else if (strcmp(err->code, "42883") == 0) {
        log_event(LOG_ERROR, "the schema was migrated, and no longer has the functions that this program calls", "hint",
            "Start the reeve of the new version.", NULL);
        worker_stop(claim->worker, 4);
    }
}

static void
send_claim(struct claim *claim, int number, int limit)
{
    struct worker *worker = claim->worker;
    struct claimer *claimer = &worker->claimer;
    struct queue_group *group = &worker->groups[number];
    int64_t now_ms = loop_now_ms(worker->loop);
    bool takes_back = claim == &claimer->first && now_ms >= claimer->take_back_due_ms;
    struct buf hints;
    struct buf queues;
    struct host_limits limits;
    char room_texts[3][16];
    char limit_text[16];
    char lease_text[24];
    struct db_step step = {.statement = STATEMENT_CLAIM};
    bool has_hosts = group->is_calls && worker->options->carrier == NULL;

    buf_init(&hints, BOUND_HINTS_BYTES);
    buf_init(&queues, BOUND_QUEUES * 68);
    host_limits_init(&limits);
    if (claim->is_fair)
        add_other_queues(worker, group, &queues);
    if (claim->reach != REACH_FRONT)
        add_hints(worker, group, claim->reach == REACH_EXACT, &hints);
    (void)snprintf(limit_text, sizeof(limit_text), "%d", limit);
    (void)snprintf(lease_text, sizeof(lease_text), "%" PRId64, worker->options->lease_ms);
    step.params[0] = worker->id;
    step.params[1] = claim->is_fair ? queues.text : group->queues;
    step.params[2] = group->types;
    step.params[3] = limit_text;
    step.params[4] = lease_text;
    step.params[5] = claim->reach == REACH_FRONT ? NULL : hints.text;
    step.params[6] = takes_back ? "t" : "f";
    claim->is_limited = has_hosts && hosts_limit(&worker->hosts, now_ms, room_ahead(worker), &limits);
    claim->other_room = has_hosts ? limits.other_room : 0;
    if (has_hosts && !limits.names.overflowed) {
        step.params[7] = limits.names.text;
        step.params[8] = limits.rooms.text;
        step.params[9] = limits.retry_rooms.text;
        (void)snprintf(room_texts[0], sizeof(room_texts[0]), "%d", limits.other_room);
        (void)snprintf(room_texts[1], sizeof(room_texts[1]), "%d", limits.other_retry_room);
        (void)snprintf(room_texts[2], sizeof(room_texts[2]), "%d", limits.shared_room);
        for (int i = 0; i < 3; i++)
            step.params[10 + i] = room_texts[i];
    }
    if (takes_back)
        claimer->take_back_due_ms = now_ms + BOUND_FRONT_MIN_MS;
    claim->in_flight = true;
    claim->asked = limit;
    claim->group = number;
    claim->sent_ms = now_ms;
    claim->boot_ms = loop_boot_ms();
    agenda_on_sent(&worker->agenda, number, claim == &claimer->second, now_ms);
    if (claim->slot == NULL)
        db_conn_send(worker->control, &step, on_claimed, claim);
    else /* A function may have left limits behind in this session. */
        db_conn_send_limited(claim->slot->conn, &step, 0, BOUND_CLAIM_LOCK_MS, on_claimed, claim);
    FAILPOINT("claim.sent");
    buf_release(&hints);
    buf_release(&queues);
    host_limits_release(&limits);
}

/* The next claim of a group, with the reach that is due. */
static void
send_first(struct worker *worker, int number, int limit)
{
    struct claim *claim = &worker->claimer.first;
    struct queue_group *group = &worker->groups[number];
    int64_t now_ms = loop_now_ms(worker->loop);

    claim->reach = agenda_reach(&worker->agenda, number, group->hints.count > 0 || group->has_since, now_ms);
    claim->is_fair = group->queues == NULL && group->full_count > 0 && worker->queue_count > group->full_count
                     && now_ms >= group->fair_due_ms;
    if (claim->is_fair)
        group->fair_due_ms = now_ms + 100;
    claim->is_beside = worker->claimer.second.in_flight;
    send_claim(claim, number, limit);
}

/* If the last claim was full and a work connection is free, the worker waits for claims.  So the free connection claims,
 * too.  The rows of the first claim are locked, and the second one passes over them.  The end of the first claim is not
 * known, so both begin at the same position. */
static void
send_second(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    int number = worker->agenda.found_group;
    const struct queue_group *group = &worker->groups[number];
    struct slot *slot = NULL;
    int limit;

    if (claimer->second.in_flight || claimer->first.group != number || group->full_count == 0 || group->is_calls
        || group->types == NULL || group->queue_limit->concurrency > 0 || worker->options->is_single || slots_up(worker) < 2
        || !list_is_empty(&worker->holdings.waiting[TASK_RUNS]) || loop_now_ms(worker->loop) < claimer->second.not_before_ms)
        return;
    for (int i = 0; i < worker->options->concurrency && slot == NULL; i++)
        slot = slot_may_claim(&worker->slots[i]) ? &worker->slots[i] : NULL;
    limit = slot == NULL ? 0 : room_now(worker, group);
    if (limit < 1)
        return;
    slot->is_claiming = true;
    claimer->second.slot = slot;
    claimer->second.reach = REACH_EXACT;
    claimer->second.is_beside = true;
    claimer->first.is_beside = true;
    send_claim(&claimer->second, number, limit);
}

void
claim_if_wanted(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    struct agenda_rooms rooms = look_rooms(worker);
    int64_t now_ms = loop_now_ms(worker->loop);
    int limit;
    int group;

    if (worker->is_stopping || !worker->is_started || !instance_may_claim(worker) || !db_conn_is_up(worker->control)
        || worker->types == NULL || worker->holdings.suspects > 0 || !lease_all_confirmed(worker))
        return;
    if (claimer->first.in_flight) {
        send_second(worker);
        return;
    }
    if (now_ms < worker->agenda.not_before_ms)
        return;
    if (claimer->aim[0] != '\0') {
        char queue[sizeof(claimer->aim)];

        (void)snprintf(queue, sizeof(queue), "%s", claimer->aim);
        if (!agenda_is_overdue(&worker->agenda, now_ms) && direct_claim_send(worker))
            return;
        claimer->aim[0] = '\0';
        look_at_queue(worker, queue);
    }
    group = agenda_pick(&worker->agenda, &rooms, now_ms, &limit);
    if (group >= 0)
        send_first(worker, group, limit);
}
