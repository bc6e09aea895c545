/*
 * The shell of the agenda (agenda.h): passes events and the time to the agenda, asks the database when the next task is due,
 * and sets the timer and the gate as the agenda decides.
 */
#include "task/worker_private.h"

void
look_at_all(struct worker *worker)
{
    agenda_call(&worker->agenda, loop_now_ms(worker->loop));
}

void
look_again(struct worker *worker)
{
    agenda_call_late(&worker->agenda, loop_now_ms(worker->loop));
}

void
look_at_group(struct worker *worker, int group)
{
    agenda_call_group(&worker->agenda, group, loop_now_ms(worker->loop));
}

void
look_at_queue(struct worker *worker, const char *name)
{
    const struct known_queue *queue = settings_queue(worker, name);

    if (queue == NULL || queue->last_group < 0)
        agenda_call_late(&worker->agenda, loop_now_ms(worker->loop));
    else
        agenda_call_queue(&worker->agenda, queue->last_group, loop_now_ms(worker->loop));
}

/* Chooses the queue of the next direct claim.  False: no direct claim is possible there. */
static bool
aim(struct worker *worker, const char *name)
{
    struct known_queue *queue = settings_queue(worker, name);

    /* With --single-instance, only the control connection claims, because it holds the lock. */
    if (!look_is_asleep(worker) || worker->options->is_until_empty || worker->options->is_single
        || settings_lane(worker, queue) == NULL || loop_now_ms(worker->loop) < worker->claimer.calm_until_ms)
        return false;
    if (queue->direct_claims_off > 0) {
        queue->direct_claims_off--;
        return false;
    }
    (void)snprintf(worker->claimer.aim, sizeof(worker->claimer.aim), "%s", queue->name);
    return true;
}

void
look_on_notice(struct worker *worker, const char *queue)
{
    if (!aim(worker, queue))
        look_at_queue(worker, queue);
}

void
look_soon(struct worker *worker)
{
    agenda_call_soon(&worker->agenda, loop_now_ms(worker->loop));
}

static int
room_of_group(void *cookie, int group)
{
    struct worker *worker = cookie;

    return room_now(worker, &worker->groups[group]);
}

static bool
is_worth_waiting(void *cookie, int number)
{
    struct worker *worker = cookie;
    const struct queue_group *group = &worker->groups[number];

    if (group->queue_limit->concurrency > 0 && group->queue_limit->held >= group->queue_limit->concurrency)
        return false;
    return !group->is_calls || room_for(worker, group) > 0;
}

struct agenda_rooms
look_rooms(struct worker *worker)
{
    return (struct agenda_rooms){.now = room_of_group, .soon = is_worth_waiting, .cookie = worker};
}

bool
look_is_asleep(const struct worker *worker)
{
    return worker->agenda.mood == MOOD_ASLEEP;
}

static void
on_next_due(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    int64_t wait_ms = AGENDA_NEVER;

    /* The next answer leaves out tasks that become due until then.  So after a failed question, claims find these tasks. */
    if (err != NULL)
        wait_ms = BOUND_DUE_MS;
    else if (db_result_text(result, 0, 0) != NULL)
        wait_ms = db_result_i64(result, 0, 0, 0);
    agenda_on_due(&worker->agenda, wait_ms, loop_now_ms(worker->loop));
}

/* Asks when the next task of any group becomes due.  The hints of all groups say which lanes are known. */
static void
ask_due(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_NEXT_DUE, .params = {NULL, worker->types}};
    struct hints all = {0};
    struct buf hints;

    agenda_on_due_asked(&worker->agenda, loop_now_ms(worker->loop));
    for (int i = 0; i < worker->group_count; i++)
        hints_join(&all, &worker->groups[i].hints);
    buf_init(&hints, BOUND_HINTS_BYTES);
    hints_write(&all, false, -1, &hints);
    step.params[2] = hints.text;
    db_conn_send(worker->control, &step, on_next_due, worker);
    buf_release(&hints);
    hints_release(&all);
}

/* Asks for the gate when the worker falls asleep, and leaves it when the worker is busy. */
static void
follow_mood(struct worker *worker)
{
    enum mood before = worker->mood;

    worker->mood = worker->agenda.mood;
    if (worker->mood == before)
        return;
    if (worker->mood == MOOD_BUSY)
        gate_on_busy(worker);
    if (worker->mood != MOOD_ASLEEP)
        return;
    if (list_is_empty(&worker->holdings.waiting[TASK_RUNS]))
        slots_pace(worker); /* The next backlog may have another kind of tasks. */
    gate_on_idle(worker);
}

void
look_ahead(struct worker *worker)
{
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t wake_ms;

    follow_mood(worker);
    if (worker->is_stopping)
        return;
    if (agenda_asks_due(&worker->agenda, now_ms) && worker->is_started && db_conn_is_up(worker->control))
        ask_due(worker);
    wake_ms = agenda_wake_ms(&worker->agenda, now_ms);
    if (timer_is_armed(worker->look_timer) && worker->wake_ms == wake_ms)
        return;
    worker->wake_ms = wake_ms;
    if (wake_ms == AGENDA_NEVER)
        timer_stop(worker->look_timer);
    else
        timer_start(worker->look_timer, wake_ms - now_ms);
}

void
look_on_timer(void *cookie)
{
    struct worker *worker = cookie;
    int64_t now_ms = loop_now_ms(worker->loop);

    if (look_is_asleep(worker) && now_ms - worker->agenda.asleep_since_ms >= worker->options->idle_log_ms) {
        log_event(LOG_DEBUG, "idle", "done", LOG_I64(worker->tasks_done), NULL);
        worker->agenda.asleep_since_ms = now_ms;
    }
    agenda_on_time(&worker->agenda, now_ms);
}
