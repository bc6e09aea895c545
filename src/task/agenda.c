#include "task/agenda.h"

#include <stdlib.h>

#include "base/bounds.h"
#include "base/err.h"

static int64_t
earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void
agenda_init(struct agenda *agenda, int count, int64_t poll_ms)
{
    *agenda = (struct agenda){.groups = must_alloc((size_t)count * sizeof(agenda->groups[0])),
        .count = count,
        .poll_ms = poll_ms,
        .may_stay_awake = true,
        .due_ms = AGENDA_NEVER,
        .ask_due_ms = AGENDA_NEVER};
}

void
agenda_release(struct agenda *agenda)
{
    free(agenda->groups);
    agenda->groups = NULL;
}

static void
look_at(struct agenda_group *group, int64_t at_ms)
{
    group->look_ms = earlier(group->look_ms, at_ms);
}

void
agenda_call_group(struct agenda *agenda, int group, int64_t now_ms)
{
    look_at(&agenda->groups[group], now_ms);
}

void
agenda_call(struct agenda *agenda, int64_t now_ms)
{
    for (int i = 0; i < agenda->count; i++)
        look_at(&agenda->groups[i], now_ms);
}

void
agenda_call_late(struct agenda *agenda, int64_t now_ms)
{
    for (int i = 0; i < agenda->count; i++)
        agenda->groups[i].exact_max_ms = 0;
    agenda_forget_empty(agenda);
    agenda_call(agenda, now_ms);
}

/* Most queues have one kind of work, but any queue may have others, so the other groups are due shortly after.  Only a
 * sleeping worker follows the queue: otherwise many notifications of one kind would push all other kinds aside. */
void
agenda_call_queue(struct agenda *agenda, int group, int64_t now_ms)
{
    if (agenda->mood != MOOD_ASLEEP) {
        agenda_call_late(agenda, now_ms);
        return;
    }
    agenda_forget_empty(agenda);
    agenda->next = group;
    for (int i = 0; i < agenda->count; i++)
        look_at(&agenda->groups[i], i == group ? now_ms : later(now_ms, agenda->groups[i].claimed_ms + BOUND_STALE_MS));
}

void
agenda_call_soon(struct agenda *agenda, int64_t now_ms)
{
    for (int i = 0; i < agenda->count; i++)
        look_at(&agenda->groups[i], now_ms + BOUND_SOON_MS);
}

void
agenda_force_front(struct agenda *agenda, int group)
{
    agenda->groups[group].front_max_ms = 0;
}

bool
agenda_call_fronts(struct agenda *agenda, int64_t now_ms)
{
    bool was_any = false;

    for (int i = 0; i < agenda->count; i++) {
        if (!agenda->groups[i].is_served || agenda->groups[i].shown == SHOWN_EMPTY)
            continue;
        was_any = true;
        agenda_force_front(agenda, i);
        agenda_call_group(agenda, i, now_ms);
    }
    return was_any;
}

void
agenda_forget_empty(struct agenda *agenda)
{
    for (int i = 0; i < agenda->count; i++) {
        if (agenda->groups[i].shown == SHOWN_EMPTY)
            agenda->groups[i].shown = SHOWN_UNKNOWN;
    }
}

/* --- decisions -------------------------------------------------------------------------- */

/* Time of a group's next look if no event comes before.  While the worker sleeps, this includes the next claim from the
 * front, unless the group is known to be empty. */
static int64_t
due_ms(const struct agenda *agenda, const struct agenda_group *group)
{
    int64_t at_ms = earlier(group->look_ms, group->claimed_ms + agenda->poll_ms);

    return agenda->mood == MOOD_ASLEEP && group->shown != SHOWN_EMPTY ? earlier(at_ms, group->front_min_ms) : at_ms;
}

static bool
is_due(const struct agenda *agenda, int number, int64_t now_ms)
{
    const struct agenda_group *group = &agenda->groups[number];

    return group->is_served && due_ms(agenda, group) <= now_ms;
}

int
agenda_pick(struct agenda *agenda, const struct agenda_rooms *rooms, int64_t now_ms, int *ret_limit)
{
    if (now_ms < agenda->not_before_ms)
        return -1;
    for (int i = 0; i < agenda->count; i++) {
        int group = (agenda->next + i) % agenda->count;
        int limit = is_due(agenda, group, now_ms) ? rooms->now(rooms->cookie, group) : 0;

        if (limit < 1)
            continue;
        *ret_limit = limit;
        return group;
    }
    return -1;
}

bool
agenda_is_overdue(const struct agenda *agenda, int64_t now_ms)
{
    if (now_ms - agenda->looked_ms < BOUND_SOON_MS)
        return false;
    for (int i = 0; i < agenda->count; i++) {
        if (is_due(agenda, i, now_ms))
            return true;
    }
    return false;
}

bool
agenda_is_quiet(const struct agenda *agenda, int64_t now_ms)
{
    for (int i = 0; i < agenda->count; i++) {
        if (agenda->groups[i].is_served && agenda->groups[i].look_ms <= now_ms)
            return false;
    }
    return agenda->mood == MOOD_ASLEEP;
}

enum reach
agenda_reach(const struct agenda *agenda, int number, bool knows_position, int64_t now_ms)
{
    const struct agenda_group *group = &agenda->groups[number];
    bool is_overlap_cheap = group->overlap_took_ms < BOUND_OVERLAP_MS;

    if (!knows_position || now_ms >= group->front_max_ms || (group->shown == SHOWN_SHORT && now_ms >= group->front_min_ms))
        return REACH_FRONT;
    /* The task that woke the worker may be a little older than the last look. */
    if (agenda->mood == MOOD_ASLEEP || group->has_rate || now_ms >= group->exact_max_ms
        || (group->shown != SHOWN_UNKNOWN && is_overlap_cheap))
        return REACH_OVERLAP;
    return REACH_EXACT;
}

bool
agenda_asks_due(const struct agenda *agenda, int64_t now_ms)
{
    return now_ms >= agenda->ask_due_ms;
}

int64_t
agenda_wake_ms(const struct agenda *agenda, int64_t now_ms)
{
    int64_t wake_ms = AGENDA_NEVER;
    const int64_t others[] = {agenda->due_ms, agenda->not_before_ms, agenda->ask_due_ms};

    for (int i = 0; i < agenda->count; i++) {
        int64_t at_ms = due_ms(agenda, &agenda->groups[i]);

        if (agenda->groups[i].is_served && at_ms > now_ms)
            wake_ms = earlier(wake_ms, at_ms);
    }
    for (size_t i = 0; i < LENGTH(others); i++) {
        if (others[i] > now_ms)
            wake_ms = earlier(wake_ms, others[i]);
    }
    return wake_ms;
}

/* --- events ----------------------------------------------------------------------------- */

void
agenda_on_time(struct agenda *agenda, int64_t now_ms)
{
    if (now_ms < agenda->due_ms)
        return;
    agenda->due_ms = AGENDA_NEVER;
    agenda_call(agenda, now_ms);
}

void
agenda_on_due_asked(struct agenda *agenda, int64_t now_ms)
{
    agenda->asked_due_ms = now_ms;
    agenda->ask_due_ms = AGENDA_NEVER;
}

void
agenda_on_due(struct agenda *agenda, int64_t wait_ms, int64_t now_ms)
{
    int64_t at_ms = wait_ms == AGENDA_NEVER ? AGENDA_NEVER : now_ms + later(wait_ms, 1);

    /* The answer leaves out tasks that are due already.  If the known time is gone, its task may be one of them: the clock of
     * the worker stands still while its machine is suspended. */
    if (agenda->due_ms != AGENDA_NEVER && at_ms > agenda->due_ms + BOUND_FRONT_REST_MS)
        agenda_call(agenda, now_ms);
    /* Nobody is notified of tasks that are due later, so the worker asks again. */
    agenda->ask_due_ms = now_ms + BOUND_DUE_MS;
    agenda->due_ms = at_ms;
}

void
agenda_on_sent(struct agenda *agenda, int group, bool is_second, int64_t now_ms)
{
    agenda->groups[group].claimed_ms = now_ms;
    if (is_second)
        return;
    agenda->groups[group].look_ms = AGENDA_NEVER;
    agenda->looked_ms = now_ms;
    agenda->next = group + 1;
}

void
agenda_on_found(struct agenda *agenda, int group, int count, int64_t now_ms)
{
    rate_window_add(&agenda->found, now_ms, count);
    rate_window_add(&agenda->finds, now_ms, 1);
    agenda->found_group = group;
}

void
agenda_on_failed(struct agenda *agenda, int group, bool is_second, bool is_beside, int64_t now_ms)
{
    agenda_call_group(agenda, group, now_ms);
    if (!is_second)
        agenda->not_before_ms = now_ms + BOUND_BUSY_RETRY_MS;
    if (is_beside) {
        /* The other claim has passed over rows that are free again now. */
        agenda_force_front(agenda, group);
        agenda->groups[group].shown = SHOWN_UNKNOWN;
    }
}

/* Sets until when claims may be exact, and when the next claim is from the front.  While an old snapshot is open, longer
 * reaches become slower and slower, and must not slow down all claims. */
static void
learn_cost(struct agenda_group *group, enum reach reach, int64_t took_ms, int64_t now_ms)
{
    if (reach != REACH_EXACT) {
        group->overlap_took_ms = took_ms;
        group->exact_max_ms = now_ms + earlier(took_ms * 20, BOUND_FRONT_MIN_MS);
    }
    if (reach == REACH_FRONT) {
        int64_t interval_ms = earlier(took_ms * BOUND_FRONT_FACTOR, BOUND_FRONT_MAX_MS);

        /* Otherwise, when tasks come one by one, most claims would be from the front. */
        group->front_min_ms = now_ms + later(interval_ms, BOUND_FRONT_REST_MS);
        group->front_max_ms = now_ms + later(interval_ms, BOUND_FRONT_MIN_MS);
    }
}

/* A claim found tasks, so other groups may have some, too.  With many queues and priorities, a look that finds nothing takes
 * as long as hundreds of tasks; then these looks come later. */
static void
plan_others(struct agenda *agenda, int but)
{
    for (int i = 0; i < agenda->count; i++) {
        struct agenda_group *group = &agenda->groups[i];

        if (i != but)
            look_at(group, group->claimed_ms + later(BOUND_STALE_MS, group->empty_took_ms * 10));
    }
}

static bool
is_any_due(const struct agenda *agenda, const struct agenda_rooms *rooms, int64_t now_ms)
{
    for (int i = 0; i < agenda->count; i++) {
        if (is_due(agenda, i, now_ms) && rooms->soon(rooms->cookie, i))
            return true;
    }
    return false;
}

/* If tasks come so fast that each claim finds several, the worker stays awake between them.  Otherwise enqueuers would
 * notify it of each task, and notifications make their commits wait for each other. */
static bool
stays_awake(struct agenda *agenda, const struct agenda_rooms *rooms, int64_t now_ms)
{
    int tasks = rate_window_last(&agenda->found, now_ms);

    return agenda->may_stay_awake && tasks >= BOUND_AWAKE && tasks >= 2 * rate_window_last(&agenda->finds, now_ms)
           && rooms->now(rooms->cookie, agenda->found_group) > 0;
}

static void
fall_asleep(struct agenda *agenda, int64_t now_ms)
{
    if (agenda->mood != MOOD_ASLEEP)
        agenda->asleep_since_ms = now_ms;
    agenda->mood = MOOD_ASLEEP;
}

/* There is nothing to claim now.  If tasks trickle in, the question for the next due time can wait.  If a group has work and
 * no room, the worker must not sleep for long. */
static void
plan_due(struct agenda *agenda, int64_t now_ms)
{
    int64_t rest_ms = agenda->mood == MOOD_ASLEEP ? 0 : 10 * BOUND_STALE_MS;

    agenda->ask_due_ms = later(now_ms + earlier(agenda->poll_ms, BOUND_STALE_MS), agenda->asked_due_ms + rest_ms);
}

/* A claim has shown that nothing is left in its group. */
static void
conclude(struct agenda *agenda, bool was_any, const struct agenda_rooms *rooms, int64_t now_ms)
{
    int limit;

    if (!was_any && !is_any_due(agenda, rooms, now_ms)) {
        for (int i = 0; i < agenda->count; i++) {
            if (agenda->groups[i].look_ms != AGENDA_NEVER)
                look_at(&agenda->groups[i], now_ms);
        }
    }
    if (is_any_due(agenda, rooms, now_ms)) {
        if (agenda_pick(agenda, rooms, now_ms, &limit) < 0)
            plan_due(agenda, now_ms);
        return;
    }
    if (!stays_awake(agenda, rooms, now_ms)) {
        fall_asleep(agenda, now_ms);
        plan_due(agenda, now_ms);
        return;
    }
    agenda->mood = MOOD_BUSY;
    agenda->groups[agenda->found_group].exact_max_ms = 0; /* As if a notification had come. */
    agenda_call_group(agenda, agenda->found_group, now_ms + BOUND_AWAKE_MS);
}

void
agenda_on_answer(struct agenda *agenda, const struct agenda_answer *answer, const struct agenda_rooms *rooms, int64_t now_ms)
{
    struct agenda_group *group = &agenda->groups[answer->group];
    enum shown before = group->shown;
    bool is_full = answer->count >= answer->asked;
    /* An event since the claim was sent may be about a task that was committed too late for this claim. */
    bool was_called = group->look_ms != AGENDA_NEVER;
    bool saw_all = answer->reach == REACH_FRONT && !answer->is_limited && !answer->is_beside && !was_called;

    learn_cost(group, answer->reach, now_ms - answer->sent_ms, now_ms);
    if (answer->count == 0)
        group->empty_took_ms = now_ms - answer->sent_ms;
    if (answer->count > 0) {
        agenda_forget_empty(agenda);
        if (agenda->mood == MOOD_ASLEEP)
            agenda->mood = MOOD_LOOKING;
        if (!answer->is_gate_held || is_full)
            plan_others(agenda, answer->group);
    }
    if (is_full)
        agenda->mood = MOOD_BUSY;
    if (!answer->is_second)
        group->shown = is_full || answer->reach == REACH_FRONT ? SHOWN_UNKNOWN : SHOWN_SHORT;
    if (is_full || answer->is_cut || answer->is_fair || answer->is_second
        || (answer->reach == REACH_EXACT && group->overlap_took_ms < BOUND_OVERLAP_MS)
        || (answer->reach != REACH_FRONT && now_ms >= group->front_min_ms)) {
        agenda_call_group(agenda, answer->group, now_ms);
        return;
    }
    if (saw_all || (before == SHOWN_EMPTY && answer->count == 0))
        group->shown = SHOWN_EMPTY;
    conclude(agenda, answer->count > 0, rooms, now_ms);
}
