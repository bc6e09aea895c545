/*
 * When to look for work: on a notification, at the next due time, when a task has ended, a moment
 * after a draw, at the poll interval; and when to sleep, or not, because nothing was found.
 */
#include "task/worker_private.h"

void
look_at_all(struct worker *worker)
{
    worker->claimer.must_look = true;
    worker->claimer.was_called = true;
    for (int i = 0; i < worker->group_count; i++)
        worker->groups[i].looks_empty = false;
}

void
look_again(struct worker *worker)
{
    for (int i = 0; i < worker->group_count; i++)
        worker->groups[i].is_empty = false;
    look_at_all(worker);
}

void
look_at_group(struct worker *worker, struct queue_group *group)
{
    worker->claimer.must_look = true;
    worker->claimer.was_called = true;
    group->looks_empty = false;
}

bool
look_at_front(struct worker *worker)
{
    bool was_any = false;

    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];

        if (group->types == NULL || group->is_empty)
            continue;
        was_any = true;
        group->front_forced_ms = 0;
        look_at_group(worker, group);
    }
    return was_any;
}

/* A notification names a queue.  Asleep, we look for the kind of work that was last found in it, and
 * for other kinds a moment later or if there is none: the name is nobody's promise, but in most queues
 * there is one kind.  Awake, many of them would push all other kinds aside. */
void
look_at_queue(struct worker *worker, const char *queue)
{
    const struct known_queue *known = worker->is_idle ? settings_queue(worker, queue) : NULL;
    int first = known == NULL ? -1 : known->last_group;

    /* Its transaction may have been open for long: if nothing is found, the front is looked at soon. */
    for (int i = 0; i < worker->group_count; i++)
        worker->groups[i].is_empty = false;
    if (first < 0) {
        for (int i = 0; i < worker->group_count; i++)
            worker->groups[i].overlap_due_ms = 0; /* What we are told of may be a little older than our last look. */
        look_at_all(worker);
        return;
    }
    worker->claimer.next_group = first;
    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];

        if (i == first || loop_now_ms(worker->loop) - group->claimed_ms >= BOUND_STALE_MS)
            look_at_group(worker, group);
        else
            group->is_stale = true;
    }
}

void
look_on_notice(struct worker *worker, const char *queue)
{
    if (!draw_aim(worker, queue))
        look_at_queue(worker, queue);
}

void
look_soon(struct worker *worker)
{
    bool was_stale = timer_is_armed(worker->poll_timer);

    for (int i = 0; i < worker->group_count; i++) {
        was_stale = was_stale && worker->groups[i].is_stale;
        worker->groups[i].is_stale = true;
    }
    if (!was_stale)
        timer_start(worker->poll_timer, BOUND_SOON_MS);
}

/* Groups that looked empty so long ago, while we had work and nobody told us of more.  With many queues
 * and priorities a look that finds nothing costs as much as hundreds of tasks: then it is longer. */
void
look_at_stale(struct worker *worker, int64_t age_ms)
{
    for (int i = 0; i < worker->group_count; i++) {
        struct queue_group *group = &worker->groups[i];
        int64_t wait_ms = age_ms == 0 || group->empty_ms * 10 < age_ms ? age_ms : group->empty_ms * 10;

        if (!group->is_stale || (i != worker->claimer.first.group && loop_now_ms(worker->loop) - group->claimed_ms < wait_ms))
            continue;
        group->is_stale = false;
        look_at_group(worker, group);
    }
}

void
look_if_stale(struct worker *worker)
{
    if (worker->is_idle && loop_now_ms(worker->loop) - worker->claimer.looked_ms >= BOUND_SOON_MS)
        look_at_stale(worker, 0);
}

/* Draws, however many there are, do not keep us from looking at everything else. */
bool
look_is_overdue(const struct worker *worker)
{
    return worker->claimer.must_look && loop_now_ms(worker->loop) - worker->claimer.looked_ms >= BOUND_SOON_MS;
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

/* A group that is full is not waited for: it is looked at when one of its tasks ends. */
static bool
is_full(struct worker *worker, const struct queue_group *group)
{
    const struct queue_share *share = group->share;

    return (share->concurrency > 0 && share->held >= share->concurrency) || (group->is_calls && room_for(worker, group) < 1);
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

        if (worker->groups[i].types != NULL && !worker->groups[i].is_empty && front_ms < wait_ms
            && !is_full(worker, &worker->groups[i]))
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
    struct hints all = {0};
    struct buf hints;

    if (worker->claimer.is_asking_due || !db_conn_is_up(worker->control))
        return;
    worker->claimer.is_asking_due = true;
    for (int i = 0; i < worker->group_count; i++)
        hints_join(&all, &worker->groups[i].hints);
    buf_init(&hints, BOUND_HINTS_BYTES);
    hints_write(&all, false, -1, &hints);
    step.params[2] = hints.text;
    db_conn_send(worker->control, &step, on_next_due, worker);
    buf_release(&hints);
    hints_release(&all);
}

/* Nothing is due in any group: sleep until told, or until the next due time. */
static void
become_idle(struct worker *worker)
{
    if (!worker->is_idle)
        worker->idle_since_ms = loop_now_ms(worker->loop);
    worker->is_idle = true;
    if (list_is_empty(&worker->waiting))
        slots_pace(worker); /* What follows is another backlog, perhaps of another kind. */
    worker->claimer.look_at_ms = loop_now_ms(worker->loop) + worker->options->poll_ms;
    /* If work trickles in, it is not worth asking for more than that. */
    timer_start(worker->poll_timer, worker->options->poll_ms < BOUND_STALE_MS ? worker->options->poll_ms : BOUND_STALE_MS);
    gate_on_idle(worker);
}

/* Where tasks come so fast that each claim finds several, it is no use to sleep between them: enqueuers
 * would notify us of each, and notifications make their commits wait for each other. */
static bool
stays_awake(struct worker *worker)
{
    struct claimer *claimer = &worker->claimer;
    const struct queue_group *group = &worker->groups[claimer->found_group];
    int64_t now_ms = loop_now_ms(worker->loop);
    int tasks = tally_last(&claimer->found, now_ms);

    if (worker->options->is_until_empty || tasks < BOUND_AWAKE || tasks < 2 * tally_last(&claimer->finds, now_ms)
        || room_now(worker, group) < 1)
        return false; /* Nor if we could not take more just now. */
    worker->is_idle = false;
    claimer->is_awake = true;
    timer_start(worker->poll_timer, BOUND_AWAKE_MS);
    gate_on_busy(worker);
    return true;
}

static bool
all_look_empty(struct worker *worker)
{
    for (int i = 0; i < worker->group_count; i++) {
        const struct queue_group *group = &worker->groups[i];

        if (!group->looks_empty && group->types != NULL && !is_full(worker, group))
            return false;
    }
    return true;
}

/* A claim found less than asked for, and count tasks. */
void
look_on_empty(struct worker *worker, int count)
{
    if (all_look_empty(worker))
        look_at_stale(worker, count > 0 ? BOUND_STALE_MS : 0);
    if (!all_look_empty(worker))
        worker->claimer.must_look = true;
    else if (!stays_awake(worker))
        become_idle(worker);
}

bool
look_on_full(struct worker *worker)
{
    if (worker->is_idle || !all_look_empty(worker))
        return false;
    worker->claimer.must_look = false;
    look_on_empty(worker, 0);
    return worker->claimer.must_look;
}

void
look_on_timer(struct worker *worker)
{
    if (worker->claimer.is_awake) {
        struct queue_group *group = &worker->groups[worker->claimer.found_group];

        worker->claimer.is_awake = false;
        group->overlap_due_ms = 0; /* As if we had been told. */
        look_at_group(worker, group);
        look_at_stale(worker, BOUND_STALE_MS);
        return;
    }
    if (!worker->is_idle || !worker->is_started || worker->claimer.must_look
        || loop_now_ms(worker->loop) >= worker->claimer.look_at_ms) {
        look_at_all(worker);
        return;
    }
    look_at_stale(worker, 0);
    if (worker->claimer.must_look)
        return;
    sleep_on(worker);
    ask_due(worker);
}
