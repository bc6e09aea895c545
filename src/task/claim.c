/*
 * Claims: from where, and what follows from what they bring.
 *
 * One claim is in flight at most, on the control connection; in a backlog a second one beside it, on a
 * work connection that has nothing to do.  None asks for more than there is room for.
 *
 * A claim starts where the last one was in each queue and priority (a hint, kept only
 * here), so it does not walk over rows that others have taken but that some old snapshot
 * still pins.  In a backlog it starts right behind the last task; now and then, and when less
 * was found than asked for, a second before it.  A claim from the very front is made at the
 * start, when still less was found than asked for (but no sooner than a tenth of a second after
 * the last one), before we end because nothing is left, and otherwise every second.  All are
 * stretched by what they cost, to at most ten seconds: so what was committed late or dated back
 * is found a little later, never missed.
 */
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

bool
claim_is_in_flight(const struct worker *worker)
{
    return worker->claimer.first.in_flight || worker->claimer.second.in_flight;
}

static void
remember_lane(const struct claim *claim, const char *queue, const char *priority)
{
    struct known_queue *known = settings_queue(claim->worker, queue);

    if (known == NULL)
        return;
    known->last_group = claim->group;
    (void)snprintf(known->last_priority, sizeof(known->last_priority), "%s", priority);
}

/* All queues but those that filled the group's last claim: one backlog must not hide the others. */
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

/* Its own lanes, and those that only other groups know: it need not look for these. */
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

static void
after_short_claim(struct worker *worker, const struct claim *claim, int count)
{
    struct claimer *claimer = &worker->claimer;
    struct queue_group *group = &worker->groups[claim->group];

    if (claim->is_fair) {
        /* The others have little; go on with the backlog. */
        claimer->must_look = true;
        return;
    }
    if (claim == &claimer->second) {
        look_at_group(worker, group); /* The first one was faster, or held what we passed over. */
        return;
    }
    if ((claim->is_exact && group->overlap_ms < BOUND_OVERLAP_MS)
        || (!claim->from_front && loop_now_ms(worker->loop) >= group->front_due_ms)) {
        /* Short of the hint: there may be more before it. */
        claimer->must_look = true;
        return;
    }
    group->looks_empty = true;
    group->is_stale = false;
    group->is_empty = (claim->from_front && !claim->is_limited && !claim->is_beside) || (group->is_empty && count == 0);
    look_on_empty(worker, count);
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

/* A claim that was not acknowledged starts nothing.  If it did commit, its leases run out. */
void
claim_failed(struct claim *claim, const struct err *err)
{
    struct worker *worker = claim->worker;
    struct queue_group *group = &worker->groups[claim->group];

    worker->claimer.must_look = true;
    group->looks_empty = false;
    claim->not_before_ms = loop_now_ms(worker->loop) + BOUND_BUSY_RETRY_MS;
    if (claim->is_beside) {
        /* The other one has passed over what is ready again now. */
        group->front_forced_ms = 0;
        group->is_empty = false;
    }
    if (err->kind != ERR_RETRY)
        log_event(LOG_ERROR, "claim failed", "sqlstate", err->code, "error", err->message, NULL);
}

/* When to look back a second again, and when at the very front. */
static void
note_cost(const struct claim *claim, struct queue_group *group, int64_t now_ms)
{
    int64_t took_ms = now_ms - claim->sent_ms;

    if (!claim->is_exact) {
        group->overlap_ms = took_ms;
        group->overlap_due_ms = now_ms + (took_ms * 20 > BOUND_FRONT_MIN_MS ? BOUND_FRONT_MIN_MS : took_ms * 20);
    }
    if (claim->from_front) {
        /* Beside an old snapshot it costs more and more, and must not make all claims slower. */
        int64_t interval_ms = took_ms * BOUND_FRONT_SHARE;

        interval_ms = interval_ms > BOUND_FRONT_MAX_MS ? BOUND_FRONT_MAX_MS : interval_ms;
        group->front_due_ms = now_ms + interval_ms;
        /* When tasks come one by one, most looks would be at the front. */
        if (interval_ms < BOUND_FRONT_REST_MS)
            group->front_due_ms = now_ms + BOUND_FRONT_REST_MS;
        group->front_forced_ms = now_ms + (interval_ms < BOUND_FRONT_MIN_MS ? BOUND_FRONT_MIN_MS : interval_ms);
    }
}

static void
take_answer(struct claim *claim, const struct db_result *result)
{
    struct worker *worker = claim->worker;
    struct claimer *claimer = &worker->claimer;
    struct queue_group *group = &worker->groups[claim->group];
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t took_ms = now_ms - claim->sent_ms;
    bool was_called = claimer->was_called && claim == &claimer->first;
    int rows = db_result_rows(result); /* of tasks that are alike */
    int suspects = worker->suspects;
    int count;
    bool is_cut;

    if (rows > 0)
        FAILPOINT("claim.committed");
    group->full_count = 0;
    count = claimed_take(claim, result);
    if (suspects > 0 && count > 0)
        lease_release_last(worker, count); /* The other claim has brought a suspect, which is to be alone with us. */
    if (worker->suspects > suspects)
        group->front_forced_ms = 0; /* The other one has passed over what this claim let go of. */
    is_cut = group->is_calls && rows > 0 && count < claim->asked && hosts_are_full(&worker->hosts, now_ms);
    if (claim->is_limited && rows == 0)
        group->behind_due_ms = now_ms
                               + (took_ms * 20 < BOUND_BEHIND_MS   ? took_ms * 20
                                   : took_ms * 4 < BOUND_BEHIND_MS ? BOUND_BEHIND_MS
                                                                   : took_ms * 4);
    /* What was passed over for a host that is full must be found again, unless it costs too much:
     * then only the front shows it.  If there is one host only, what was cut off is behind. */
    for (int i = 0; i < rows && ((!claim->is_limited && (!is_cut || has_one_host(result))) || took_ms > BOUND_BATCH_MS * 2); i++)
        hints_remember(&group->hints, db_result_text(result, i, CLAIM_QUEUE), db_result_text(result, i, CLAIM_PRIORITY),
            db_result_text(result, i, CLAIM_LAST_AT), claim->last_ids[i]);
    if (rows > 0)
        remember_lane(claim, db_result_text(result, 0, CLAIM_QUEUE), db_result_text(result, 0, CLAIM_PRIORITY));
    if (count < claim->asked && !claim->is_fair && !is_cut && !claim->is_limited && !claim->is_beside) {
        group->has_since = true;
        group->since_ms = claim->sent_ms;
    }
    note_cost(claim, group, now_ms);
    if (rows > 0) {
        worker->is_idle = false;
        for (int i = 0; i < worker->group_count; i++) {
            worker->groups[i].is_empty = false;
            /* While we keep the gate, enqueuers still tell us of what is new. */
            if (worker->gate_state != GATE_HELD || count >= claim->asked)
                worker->groups[i].is_stale = true;
        }
        look_at_stale(worker, BOUND_STALE_MS);
    }
    if (claim == &claimer->first)
        group->was_short = count < claim->asked && !claim->from_front;
    if (!group->is_calls && count > 0)
        claimer->took_ms = took_ms;
    if (count == 0)
        group->empty_ms = took_ms;
    if (!group->is_calls && !claim->is_fair && !claim->is_exact && count < claim->asked)
        pace_on_short(&worker->pace);
    if (count >= claim->asked) {
        for (int i = 0; i < rows; i++)
            note_full(group, db_result_text(result, i, CLAIM_QUEUE));
        claimer->must_look = true;
        gate_on_busy(worker);
    } else if (is_cut) {
        claimer->must_look = true; /* Behind those of a full host there may be others. */
    } else {
        after_short_claim(worker, claim, count);
        if (was_called)
            look_at_group(worker, group); /* It may have been for what this claim did not see yet. */
    }
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
        take_answer(claim, result);
        return;
    }
    claim_failed(claim, err);
    if (claim->slot != NULL && err->kind != ERR_RETRY)
        claim->slot->must_reset = true; /* What ran in this session before has spoilt it for us. */
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

    buf_init(&hints, BOUND_HINTS_BYTES);
    buf_init(&queues, BOUND_QUEUES * 68);
    host_limits_init(&limits);
    if (claim->is_fair)
        add_other_queues(worker, group, &queues);
    if (!claim->from_front)
        add_hints(worker, group, claim->is_exact, &hints);
    (void)snprintf(limit_text, sizeof(limit_text), "%d", limit);
    (void)snprintf(lease_text, sizeof(lease_text), "%" PRId64, worker->options->lease_ms);
    step.params[0] = worker->id;
    step.params[1] = claim->is_fair ? queues.text : group->queues;
    step.params[2] = group->types;
    step.params[3] = limit_text;
    step.params[4] = lease_text;
    step.params[5] = claim->from_front ? NULL : hints.text;
    step.params[6] = takes_back ? "t" : "f";
    claim->is_limited = group->is_calls && hosts_limit(&worker->hosts, now_ms, room_ahead(worker), &limits);
    if (group->is_calls && !limits.names.overflowed) {
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
    group->claimed_ms = now_ms;
    if (claim->slot == NULL)
        db_conn_send(worker->control, &step, on_claimed, claim);
    else /* Its session may have limits that a function left behind. */
        db_conn_send_limited(claim->slot->conn, &step, 0, BOUND_CLAIM_LOCK_MS, on_claimed, claim);
    FAILPOINT("claim.sent");
    buf_release(&hints);
    buf_release(&queues);
    host_limits_release(&limits);
}

/* The next claim of a group, from where it is due to be. */
static void
send_first(struct worker *worker, int number, int limit)
{
    struct claimer *claimer = &worker->claimer;
    struct claim *claim = &claimer->first;
    struct queue_group *group = &worker->groups[number];
    int64_t now_ms = loop_now_ms(worker->loop);

    claim->from_front = (group->hints.count == 0 && !group->has_since) || now_ms >= group->front_forced_ms
                        || (group->was_short && now_ms >= group->front_due_ms);
    /* Not when we slept, since what woke us may be a little older than our last look. */
    claim->is_exact = !claim->from_front && !worker->is_idle && group->channel < 0 && now_ms < group->overlap_due_ms
                      && (!group->was_short || group->overlap_ms >= BOUND_OVERLAP_MS);
    claim->is_fair = group->queues == NULL && group->full_count > 0 && worker->queue_count > group->full_count
                     && now_ms >= group->fair_due_ms;
    if (claim->is_fair)
        group->fair_due_ms = now_ms + 100;
    claim->is_beside = claimer->second.in_flight;
    claimer->must_look = false;
    group->is_stale = false;
    claimer->was_called = false;
    claimer->next_group = number + 1;
    claimer->looked_ms = now_ms;
    timer_stop(worker->poll_timer);
    claimer->is_awake = false;
    send_claim(claim, number, limit);
}

/* Where the last claim was full and a work connection has nothing to do, claims are what we wait for:
 * it claims too.  What the first claim is about to take is locked, and passed over; where it ends
 * is not known, so both begin at the same place. */
static void
send_second(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    const struct queue_group *group = &worker->groups[claimer->found_group];
    struct slot *slot = NULL;
    int limit;

    if (claimer->second.in_flight || claimer->first.group != claimer->found_group || group->full_count == 0 || group->is_calls
        || group->types == NULL || group->share->concurrency > 0 || worker->options->is_single || slots_up(worker) < 2
        || !list_is_empty(&worker->waiting) || loop_now_ms(worker->loop) < claimer->second.not_before_ms)
        return;
    for (int i = 0; i < worker->options->concurrency && slot == NULL; i++)
        slot = slot_may_claim(&worker->slots[i]) ? &worker->slots[i] : NULL;
    limit = slot == NULL ? 0 : room_now(worker, group);
    if (limit < 1)
        return;
    slot->is_claiming = true;
    claimer->second.slot = slot;
    claimer->second.is_exact = true;
    claimer->second.is_beside = true;
    claimer->first.is_beside = true;
    send_claim(&claimer->second, claimer->found_group, limit);
}

/* The next group that may have something and has room.  False: there is none. */
static bool
ask_one(struct worker *worker)
{
    for (int i = 0; i < worker->group_count; i++) {
        int n = (worker->claimer.next_group + i) % worker->group_count;
        const struct queue_group *group = &worker->groups[n];
        int limit = group->looks_empty || group->types == NULL ? 0 : room_now(worker, group);

        if (limit < 1)
            continue;
        send_first(worker, n, limit);
        return true;
    }
    return false;
}

void
claim_if_wanted(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;

    if (worker->is_stopping || !worker->is_started || !instance_may_claim(worker) || !db_conn_is_up(worker->control)
        || worker->types == NULL || worker->suspects > 0 || !lease_all_confirmed(worker))
        return;
    if (claimer->first.in_flight) {
        send_second(worker);
        return;
    }
    if (!claimer->must_look && claimer->aim[0] == '\0')
        return;
    if (loop_now_ms(worker->loop) < claimer->first.not_before_ms) {
        if (!timer_is_armed(worker->poll_timer))
            timer_start(worker->poll_timer, claimer->first.not_before_ms - loop_now_ms(worker->loop));
        return;
    }
    if (claimer->aim[0] != '\0') {
        char queue[sizeof(claimer->aim)];

        (void)snprintf(queue, sizeof(queue), "%s", claimer->aim);
        if (!look_is_overdue(worker) && draw_send(worker))
            return;
        claimer->aim[0] = '\0';
        look_at_queue(worker, queue);
    }
    if (ask_one(worker) || (look_on_full(worker) && ask_one(worker)))
        return;
    /* Nothing to ask for now, and perhaps nobody tells us of what is new. */
    if (!timer_is_armed(worker->poll_timer))
        timer_start(worker->poll_timer, worker->options->poll_ms);
}
