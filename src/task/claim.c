/*
 * When to claim, how many, and from where.
 *
 * We look when something says so: a notification, a free slot while work is waiting, the
 * poll timer, the next due time.  At most one claim is in flight, and it asks for no more
 * than there is room for.
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
#include <assert.h>
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

void
claim_look(struct worker *worker)
{
    worker->claimer.must_look = true;
    worker->claimer.was_called = true;
    for (int i = 0; i < worker->group_count; i++)
        worker->groups[i].looks_empty = false;
}

void
claim_look_group(struct worker *worker, struct queue_group *group)
{
    worker->claimer.must_look = true;
    worker->claimer.was_called = true;
    group->looks_empty = false;
}

bool
claim_look_front(struct worker *worker)
{
    bool was_any = false;

    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];

        if (group->types == NULL || group->is_empty)
            continue;
        was_any = true;
        if (group->is_calls && hosts_are_full(&worker->hosts, loop_now_ms(worker->loop)))
            continue; /* What is left may wait for a host: it is looked at when its turn comes. */
        group->front_forced_ms = 0;
        claim_look_group(worker, group);
    }
    return was_any;
}

/* A notification names a queue.  Asleep, we look for the kind of work that was last found in it, and
 * for other kinds a moment later or if there is none: the name is nobody's promise, but in most queues
 * there is one kind.  Awake, many of them would push all other kinds aside. */
void
claim_look_for(struct worker *worker, const char *queue)
{
    const struct known_queue *known = worker->is_idle ? settings_queue(worker, queue) : NULL;
    int first = known == NULL ? -1 : known->last_group;

    if (first < 0) {
        for (int i = 0; i < worker->group_count; i++)
            worker->groups[i].overlap_due_ms = 0; /* What we are told of may be a little older than our last look. */
        claim_look(worker);
        return;
    }
    worker->claimer.next_group = first;
    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];

        if (i == first || loop_now_ms(worker->loop) - group->claimed_ms >= BOUND_STALE_MS)
            claim_look_group(worker, group);
        else
            group->is_stale = true;
    }
}

void
claim_look_queue(struct worker *worker, const char *queue)
{
    if (!draw_aim(worker, queue))
        claim_look_for(worker, queue);
}

void
claim_look_soon(struct worker *worker)
{
    bool was_stale = timer_is_armed(worker->poll_timer);

    for (int i = 0; i < worker->group_count; i++) {
        was_stale = was_stale && worker->groups[i].is_stale;
        worker->groups[i].is_stale = true;
    }
    if (!was_stale)
        timer_start(worker->poll_timer, BOUND_SOON_MS);
}

/* Groups that looked empty so long ago, while we had work and nobody told us of more. */
static void
look_at_stale(struct worker *worker, int64_t age_ms)
{
    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];

        if (!group->is_stale || (i != worker->claimer.group && loop_now_ms(worker->loop) - group->claimed_ms < age_ms))
            continue;
        group->is_stale = false;
        claim_look_group(worker, group);
    }
}

void
claim_look_if_stale(struct worker *worker)
{
    if (worker->is_idle && loop_now_ms(worker->loop) - worker->claimer.looked_ms >= BOUND_SOON_MS)
        look_at_stale(worker, 0);
}

static void
remember_lane(struct worker *worker, const char *queue, const char *priority)
{
    struct known_queue *known = settings_queue(worker, queue);

    if (known == NULL)
        return;
    known->last_group = worker->claimer.group;
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

/* Look for calls again after this time, or earlier. */
static void
look_for_calls(struct worker *worker, int64_t wait_ms)
{
    int64_t at_ms = loop_now_ms(worker->loop) + wait_ms;

    if (timer_is_armed(worker->room_timer) && worker->room_at_ms <= at_ms)
        return;
    worker->room_at_ms = at_ms;
    timer_start(worker->room_timer, wait_ms);
}

void
claim_look_later(struct worker *worker, int64_t wait_ms)
{
    look_for_calls(worker, wait_ms);
}

void
claim_on_room(void *cookie)
{
    struct worker *worker = cookie;

    worker->claimer.must_look = true;
    for (int i = 0; i < worker->group_count; i++) {
        if (worker->groups[i].is_calls)
            worker->groups[i].looks_empty = false;
    }
}

/* Calls that a channel may make just now.  What is saved up is little: whoever counts calls
 * in a second must not see more than that at the start of a burst. */
static int
tokens(struct worker *worker, int channel)
{
    double rate = channel_rate(worker->channels, channel);
    double most = rate < 10 ? 1 : rate / 10;
    struct rate *bucket = &worker->rates[channel];
    int64_t now_ms = loop_now_ms(worker->loop);

    if (rate <= 0)
        return worker->options->channel_concurrency; /* It had one until just now. */
    bucket->tokens += rate * (double)(now_ms - bucket->filled_ms) / 1000;
    bucket->filled_ms = now_ms;
    if (bucket->tokens > most)
        bucket->tokens = most;
    if (bucket->tokens >= 1)
        return (int)bucket->tokens;
    look_for_calls(worker, (int64_t)((1 - bucket->tokens) / rate * 1000) + 1);
    return 0;
}

static int
call_room(struct worker *worker, const struct queue_group *group)
{
    int most = worker->options->channel_concurrency;
    int free = most - worker->call_count;
    int ahead;

    /* What could not be recorded yet is bounded too; and what we could not even announce is
     * for others. */
    if (worker->outcome_count > most + BOUND_BATCH || slots_up(worker) == 0)
        return 0;
    if (group->channel >= 0 && free > 0) {
        int allowed = tokens(worker, group->channel);

        return allowed < free ? allowed : free;
    }
    /* A claim takes its time, and so does the announcement: as many more as will have ended by then. */
    ahead = 2 * lease_calls_over(worker);
    return free + (ahead < most / 2 ? ahead : most / 2);
}

int
claim_room(struct worker *worker, const struct queue_group *group)
{
    const struct queue_share *share = group->share;
    int free = group->is_calls ? call_room(worker, group) : run_capacity(worker) - worker->function_count;

    if (share->concurrency > 0 && share->concurrency - share->held < free)
        free = share->concurrency - share->held;
    return free > BOUND_CLAIM ? BOUND_CLAIM : free;
}

/* Until it is time to look, but not for long: nobody is told of tasks for later. */
static void
sleep_on(struct worker *worker)
{
    int64_t wait_ms = worker->claimer.look_at_ms - loop_now_ms(worker->loop);

    if (!worker->is_idle || worker->is_stopping)
        return;
    if (wait_ms > BOUND_DUE_MS)
        wait_ms = BOUND_DUE_MS;
    timer_start(worker->poll_timer, wait_ms < 1 ? 1 : wait_ms);
}

static void
on_next_due(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t wait_ms = worker->options->poll_ms;

    worker->claimer.is_asking_due = false;
    if (err == NULL && db_result_text(result, 0, 0) != NULL) {
        int64_t due_ms = db_result_i64(result, 0, 0, wait_ms);

        if (due_ms < wait_ms)
            wait_ms = due_ms < 1 ? 1 : due_ms;
    }
    /* The front is looked at in time, even if nothing happens. */
    for (int i = 0; i < worker->group_count; i++) {
        int64_t front_ms = worker->groups[i].front_due_ms - now_ms;

        if (worker->groups[i].types != NULL && !worker->groups[i].is_empty && front_ms < wait_ms)
            wait_ms = front_ms < 1 ? 1 : front_ms;
    }
    if (now_ms + wait_ms < worker->claimer.look_at_ms)
        worker->claimer.look_at_ms = now_ms + wait_ms;
    sleep_on(worker);
}

/* When the next task becomes due, in any group: the hints of all say which lanes are known. */
static void
ask_due(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_NEXT_DUE, .params = {NULL, worker->types}};
    struct queue_group all = {0};
    struct buf hints;

    if (worker->claimer.is_asking_due || !db_conn_is_up(worker->control))
        return;
    worker->claimer.is_asking_due = true;
    for (int i = 0; i < worker->group_count; i++) {
        for (int j = 0; j < worker->groups[i].hint_count; j++) {
            const struct claim_hint *hint = &worker->groups[i].hints[j];

            hint_remember(&all, hint->queue, hint->priority, hint->at, hint->id);
        }
    }
    buf_init(&hints, BOUND_HINTS_BYTES);
    hint_add(worker, &all, false, &hints);
    step.params[2] = hints.text;
    db_conn_send(worker->control, &step, on_next_due, worker);
    buf_release(&hints);
    free(all.hints);
}

/* Nothing is due in any group: sleep until told, or until the next due time. */
static void
become_idle(struct worker *worker)
{
    if (!worker->is_idle)
        worker->idle_since_ms = loop_now_ms(worker->loop);
    worker->is_idle = true;
    slots_pace(worker);
    worker->claimer.look_at_ms = loop_now_ms(worker->loop) + worker->options->poll_ms;
    /* If work trickles in, it is not worth asking for more than that. */
    timer_start(worker->poll_timer, worker->options->poll_ms < BOUND_STALE_MS ? worker->options->poll_ms : BOUND_STALE_MS);
    gate_on_idle(worker);
}

static bool is_worth_waiting(struct worker *worker, const struct queue_group *group, int limit);

/* Where tasks come so fast that each claim finds several, it is no use to sleep between them: enqueuers
 * would notify us of each, and notifications make their commits wait for each other. */
static bool
stays_awake(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    const struct queue_group *group = &worker->groups[claimer->found_group];
    int64_t now_ms = loop_now_ms(worker->loop);
    int tasks = tally_last(&claimer->found, now_ms);
    int room = claim_room(worker, group);

    if (worker->options->is_until_empty || tasks < BOUND_AWAKE || tasks < 2 * tally_last(&claimer->finds, now_ms) || room < 1
        || is_worth_waiting(worker, group, room))
        return false; /* Nor if we could not take more just now. */
    worker->is_idle = false;
    claimer->is_awake = true;
    timer_start(worker->poll_timer, BOUND_AWAKE_MS);
    gate_on_busy(worker);
    return true;
}

/* A group that is full is not waited for: it is looked at when one of its tasks ends. */
static bool
all_look_empty(struct worker *worker)
{
    for (int i = 0; i < worker->group_count; i++) {
        const struct queue_group *group = &worker->groups[i];
        const struct queue_share *share = group->share;

        if (group->looks_empty || group->types == NULL)
            continue;
        if (share->concurrency > 0 && share->held >= share->concurrency)
            continue;
        if (!group->is_calls || claim_room(worker, group) > 0)
            return false;
    }
    return true;
}

void
claim_on_timer(struct worker *worker)
{
    if (worker->claimer.is_awake) {
        struct queue_group *group = &worker->groups[worker->claimer.found_group];

        worker->claimer.is_awake = false;
        group->overlap_due_ms = 0; /* As if we had been told. */
        claim_look_group(worker, group);
        look_at_stale(worker, BOUND_STALE_MS);
        return;
    }
    if (!worker->is_idle || !worker->is_started || worker->claimer.must_look
        || loop_now_ms(worker->loop) >= worker->claimer.look_at_ms) {
        claim_look(worker);
        return;
    }
    look_at_stale(worker, 0);
    if (worker->claimer.must_look)
        return;
    sleep_on(worker);
    ask_due(worker);
}

static void
after_short_claim(struct worker *worker, struct queue_group *group, int count)
{
    struct claimer *claimer = &worker->claimer;

    if (claimer->is_fair) {
        /* The others have little; go on with the backlog. */
        claimer->must_look = true;
        return;
    }
    if ((claimer->is_exact && group->overlap_ms < BOUND_OVERLAP_MS)
        || (!claimer->from_front && loop_now_ms(worker->loop) >= group->front_due_ms)) {
        /* Short of the hint: there may be more before it. */
        claimer->must_look = true;
        return;
    }
    group->looks_empty = true;
    group->is_stale = false;
    group->is_empty = (claimer->from_front && !claimer->is_limited) || (group->is_empty && count == 0);
    if (all_look_empty(worker))
        look_at_stale(worker, count > 0 ? BOUND_STALE_MS : 0);
    if (!all_look_empty(worker))
        claimer->must_look = true;
    else if (!stays_awake(worker))
        become_idle(worker);
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
claim_failed(struct worker *worker, const struct err *err)
{
    worker->claimer.must_look = true;
    worker->claimer.not_before_ms = loop_now_ms(worker->loop) + BOUND_BUSY_RETRY_MS;
    worker->groups[worker->claimer.group].looks_empty = false;
    if (err->kind != ERR_RETRY)
        log_event(LOG_ERROR, "claim failed", "sqlstate", err->code, "error", err->message, NULL);
}

static void
on_claimed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    struct claimer *claimer = &worker->claimer;
    struct queue_group *group = &worker->groups[claimer->group];
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t took_ms = now_ms - claimer->sent_ms;
    bool was_called = claimer->was_called;
    int rows; /* of tasks that are alike */
    int count;
    bool is_cut;

    claimer->in_flight = false;
    if (err != NULL) {
        claim_failed(worker, err);
        return;
    }
    rows = db_result_rows(result);
    if (rows > 0)
        FAILPOINT("claim.committed");
    group->full_count = 0;
    count = claimed_take(worker, result);
    is_cut = group->is_calls && rows > 0 && count < claimer->asked && hosts_are_full(&worker->hosts, now_ms);
    if (claimer->is_limited && rows == 0)
        group->behind_due_ms = now_ms + (took_ms * 20 < BOUND_BEHIND_MS ? took_ms * 20 : BOUND_BEHIND_MS);
    /* What was passed over for a host that is full must be found again, unless it costs too much:
     * then only the front shows it.  If there is one host only, what was cut off is behind. */
    for (int i = 0; i < rows && ((!claimer->is_limited && (!is_cut || has_one_host(result))) || took_ms > BOUND_BATCH_MS * 2);
         i++)
        hint_remember(group, db_result_text(result, i, CLAIM_QUEUE), db_result_text(result, i, CLAIM_PRIORITY),
            db_result_text(result, i, CLAIM_LAST_AT), claimer->last_ids[i]);
    if (rows > 0)
        remember_lane(worker, db_result_text(result, 0, CLAIM_QUEUE), db_result_text(result, 0, CLAIM_PRIORITY));
    if (count < claimer->asked && !claimer->is_fair && !is_cut && !claimer->is_limited) {
        group->has_since = true;
        group->since_ms = claimer->sent_ms;
    }
    if (!claimer->is_exact) {
        group->overlap_ms = took_ms;
        group->overlap_due_ms = now_ms + (took_ms * 20 > BOUND_FRONT_MIN_MS ? BOUND_FRONT_MIN_MS : took_ms * 20);
    }
    if (claimer->from_front) {
        /* Beside an old snapshot it costs more and more, and must not make all claims slower. */
        int64_t interval_ms = took_ms * BOUND_FRONT_SHARE;

        interval_ms = interval_ms > BOUND_FRONT_MAX_MS ? BOUND_FRONT_MAX_MS : interval_ms;
        group->front_due_ms = now_ms + interval_ms;
        /* When tasks come one by one, most looks would be at the front. */
        if (interval_ms < BOUND_FRONT_REST_MS)
            group->front_due_ms = now_ms + BOUND_FRONT_REST_MS;
        group->front_forced_ms = now_ms + (interval_ms < BOUND_FRONT_MIN_MS ? BOUND_FRONT_MIN_MS : interval_ms);
    }
    if (rows > 0) {
        worker->is_idle = false;
        for (int i = 0; i < worker->group_count; i++) {
            worker->groups[i].is_empty = false;
            /* While we keep the gate, enqueuers still tell us of what is new. */
            if (worker->gate_state != GATE_HELD || count >= claimer->asked)
                worker->groups[i].is_stale = true;
        }
        look_at_stale(worker, BOUND_STALE_MS);
    }
    group->was_short = count < claimer->asked && !claimer->from_front;
    if (!group->is_calls && count > 0)
        claimer->took_ms = took_ms;
    if (!group->is_calls && !claimer->is_fair && !claimer->is_exact && count < claimer->asked)
        pace_on_short(&worker->pace);
    if (count >= claimer->asked) {
        for (int i = 0; i < rows; i++)
            note_full(group, db_result_text(result, i, CLAIM_QUEUE));
        claimer->must_look = true;
        gate_on_busy(worker);
    } else if (is_cut) {
        claimer->must_look = true; /* Behind those of a full host there may be others. */
    } else {
        after_short_claim(worker, group, count);
        if (was_called)
            claim_look_group(worker, group); /* It may have been for what this claim did not see yet. */
    }
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static void
send_claim(struct worker *worker, int number, int limit)
{
    struct claimer *claimer = &worker->claimer;
    struct queue_group *group = &worker->groups[number];
    int64_t now_ms = loop_now_ms(worker->loop);
    struct buf hints;
    struct buf queues;
    struct buf hosts;
    char limit_text[16];
    char lease_text[24];
    struct db_step step = {.statement = STATEMENT_CLAIM};

    buf_init(&hints, BOUND_HINTS_BYTES);
    buf_init(&queues, BOUND_QUEUES * 68);
    buf_init(&hosts, BOUND_HOST_LIST_BYTES);
    claimer->from_front = (group->hint_count == 0 && !group->has_since) || now_ms >= group->front_forced_ms
                          || (group->was_short && now_ms >= group->front_due_ms);
    /* Not when we slept, since what woke us may be a little older than our last look. */
    claimer->is_exact = !claimer->from_front && !worker->is_idle && group->channel < 0 && now_ms < group->overlap_due_ms
                        && (!group->was_short || group->overlap_ms >= BOUND_OVERLAP_MS);
    claimer->is_fair = group->queues == NULL && group->full_count > 0 && worker->queue_count > group->full_count
                       && now_ms >= group->fair_due_ms;
    if (claimer->is_fair) {
        add_other_queues(worker, group, &queues);
        group->fair_due_ms = now_ms + 100;
    }
    if (!claimer->from_front)
        hint_add(worker, group, claimer->is_exact, &hints);
    (void)snprintf(limit_text, sizeof(limit_text), "%d", limit);
    (void)snprintf(lease_text, sizeof(lease_text), "%" PRId64, worker->options->lease_ms);
    step.params[0] = worker->id;
    step.params[1] = claimer->is_fair ? queues.text : group->queues;
    step.params[2] = group->types;
    step.params[3] = limit_text;
    step.params[4] = lease_text;
    step.params[5] = claimer->from_front ? NULL : hints.text;
    step.params[6] = now_ms >= claimer->take_back_due_ms ? "t" : "f";
    claimer->is_limited = group->is_calls && hosts_limits(&worker->hosts, now_ms, &hosts);
    step.params[7] = group->is_calls && !hosts.overflowed ? hosts.text : NULL;
    if (now_ms >= claimer->take_back_due_ms)
        claimer->take_back_due_ms = now_ms + BOUND_FRONT_MIN_MS;
    claimer->in_flight = true;
    claimer->must_look = false;
    group->is_stale = false;
    claimer->was_called = false;
    claimer->asked = limit;
    claimer->group = number;
    claimer->next_group = number + 1;
    claimer->sent_ms = now_ms;
    claimer->looked_ms = now_ms;
    group->claimed_ms = now_ms;
    timer_stop(worker->poll_timer);
    claimer->is_awake = false;
    db_conn_send(worker->control, &step, on_claimed, worker);
    FAILPOINT("claim.sent");
    buf_release(&hints);
    buf_release(&queues);
    buf_release(&hosts);
}

/* In a backlog of quick tasks, wait until half of what we hold at most is done: a claim costs much
 * the same for ten tasks as for a hundred.  A group with a limit of its own may never have that room,
 * and calls may take as long as they like. */
static bool
is_worth_waiting(struct worker *worker, const struct queue_group *group, int limit)
{
    int64_t wait_ms = group->claimed_ms + BOUND_CALL_WAIT_MS - loop_now_ms(worker->loop);

    if (group->share->concurrency > 0 || group->channel >= 0)
        return false;
    if (!group->is_calls)
        return worker->batches[SLOT_EXECUTE] > 1 && limit < run_capacity(worker) / 2 && worker->function_count > limit;
    if (limit >= worker->options->channel_concurrency / 20 || worker->call_count == 0 || wait_ms <= 0)
        return false;
    look_for_calls(worker, wait_ms);
    return true;
}

/* Behind the tasks of a host that is full there was nothing a moment ago, and to find that out
 * all of them are passed over. */
static bool
has_looked_behind(struct worker *worker, const struct queue_group *group)
{
    int64_t now_ms = loop_now_ms(worker->loop);

    if (!group->is_calls || now_ms >= group->behind_due_ms || !hosts_are_full(&worker->hosts, now_ms))
        return false;
    look_for_calls(worker, group->behind_due_ms - now_ms);
    return true;
}

/* Draws, however many there are, do not keep us from looking at everything else. */
static bool
is_look_overdue(const struct worker *worker)
{
    return worker->claimer.must_look && loop_now_ms(worker->loop) - worker->claimer.looked_ms >= BOUND_SOON_MS;
}

void
claim_if_wanted(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;

    if ((!claimer->must_look && claimer->aim[0] == '\0') || claimer->in_flight || worker->is_stopping || !worker->is_started
        || !instance_may_claim(worker) || !db_conn_is_up(worker->control) || worker->types == NULL || worker->suspects > 0)
        return;
    if (loop_now_ms(worker->loop) < claimer->not_before_ms) {
        if (!timer_is_armed(worker->poll_timer))
            timer_start(worker->poll_timer, claimer->not_before_ms - loop_now_ms(worker->loop));
        return;
    }
    if (claimer->aim[0] != '\0') {
        char queue[sizeof(claimer->aim)];

        (void)snprintf(queue, sizeof(queue), "%s", claimer->aim);
        if (!is_look_overdue(worker) && draw_send(worker))
            return;
        claimer->aim[0] = '\0';
        claim_look_for(worker, queue);
    }
    for (int i = 0; i < worker->group_count; i++) {
        int n = (claimer->next_group + i) % worker->group_count;
        const struct queue_group *group = &worker->groups[n];
        int limit = group->looks_empty || group->types == NULL ? 0 : claim_room(worker, group);

        if (limit < 1 || is_worth_waiting(worker, group, limit) || has_looked_behind(worker, group))
            continue;
        send_claim(worker, n, limit);
        return;
    }
    /* Nothing to ask for now, and perhaps nobody tells us of what is new. */
    if (!timer_is_armed(worker->poll_timer))
        timer_start(worker->poll_timer, worker->options->poll_ms);
}
