/*
 * The number of tasks that a group may take.  It depends on the speed of the work connections, on the calls that channels
 * may make at once and per second, and on the limits of hosts and queues.  If the number is too small, a timer asks again.
 */
#include "task/worker_private.h"

/* Number of tasks of database work to hold.  Of quick tasks, the worker holds the next batches, and as many as are done in
 * the time of a few claims: with many queues and priorities, claims are slow. */
int
room_capacity(const struct worker *worker)
{
    int batch = worker->batches[SLOT_EXECUTE];
    int two_each = slots_for_quick(worker) * batch * 2;
    int64_t ahead_ms = 4 * worker->claimer.took_ms < BOUND_CLAIM_AHEAD_MS ? BOUND_CLAIM_AHEAD_MS : 4 * worker->claimer.took_ms;
    int64_t soon = pace_per_second(&worker->pace, loop_now_ms(worker->loop)) * ahead_ms / 1000;

    if (batch == 1)
        return slots_up(worker);
    return soon > two_each ? (int)soon : two_each;
}

/* The call is over, or will not be made; error_class as in hosts_give_back. */
void
room_leave_host(struct task *task, const char *error_class)
{
    struct worker *worker = task->worker;
    struct host *host = task->host;

    if (host == NULL)
        return;
    task->host = NULL;
    switch (hosts_give_back(
        &worker->hosts, host, task->is_retry, task->state == TASK_CALLING, error_class, loop_now_ms(worker->loop))) {
    case HOST_AS_BEFORE:
        break;
    case HOST_OPENED:
        log_event(LOG_INFO, "host answers again", "host", host->name, NULL);
        upkeep_tell_soon(worker);
        look_at_all(worker);
        break;
    case HOST_ROOMY:
        look_at_all(worker);
        break;
    case HOST_CLOSED:
        log_event(LOG_WARN, "host fails, its calls wait", "host", host->name, "seconds", LOG_I64(host->close_ms / 1000), NULL);
        room_later(worker, host->close_ms);
        upkeep_tell_soon(worker);
        break;
    }
}

void
room_later(struct worker *worker, int64_t wait_ms)
{
    int64_t at_ms = loop_now_ms(worker->loop) + wait_ms;

    if (timer_is_armed(worker->room_timer) && worker->room_at_ms <= at_ms)
        return;
    worker->room_at_ms = at_ms;
    timer_start(worker->room_timer, wait_ms);
}

void
room_on_timer(void *cookie)
{
    struct worker *worker = cookie;

    for (int i = 0; i < worker->group_count; i++) {
        if (worker->groups[i].is_calls)
            look_at_group(worker, i);
    }
}

/* Number of calls that a channel may make now.  The bucket is small, so that a burst does not exceed the rate in its first
 * second. */
static int
tokens(struct worker *worker, int channel)
{
    double rate = channel_rate(worker->channels, channel);
    double most = rate < 10 ? 1 : rate / 10;
    struct rate *bucket = &worker->rates[channel];
    int64_t now_ms = loop_now_ms(worker->loop);

    if (rate <= 0)
        return worker->most_calls; /* The channel had a rate until now. */
    bucket->tokens += rate * (double)(now_ms - bucket->filled_ms) / 1000;
    bucket->filled_ms = now_ms;
    if (bucket->tokens > most)
        bucket->tokens = most;
    if (bucket->tokens >= 1)
        return (int)bucket->tokens;
    room_later(worker, (int64_t)((1 - bucket->tokens) / rate * 1000) + 1);
    return 0;
}

void
room_set_calls(struct worker *worker, int most)
{
    worker->most_calls = most;
    worker->hosts.most = most;
    http_client_limit(worker->http, most + (most < BOUND_SPARE_CONNECTIONS ? most : BOUND_SPARE_CONNECTIONS));
}

/* A call got no descriptor, port or memory.  For a while the worker claims no calls.  Then it makes fewer calls at once than
 * were under way, and returns step by step to the old number. */
void
room_on_shortage(struct worker *worker)
{
    int calling = holdings_calling(&worker->holdings);
    int most = calling * 3 / 4;

    if (worker->calls_at_ms == 0)
        log_event(LOG_WARN, "out of descriptors, ports or memory, calls are released", "calls", LOG_I64(calling), NULL);
    if (most < worker->most_calls)
        room_set_calls(worker, most < 1 ? 1 : most);
    worker->calls_at_ms = loop_now_ms(worker->loop) + BOUND_SHORT_MS;
    room_later(worker, BOUND_SHORT_MS);
}

/* Was there a shortage a moment ago? */
static bool
is_short(struct worker *worker)
{
    int64_t now_ms = loop_now_ms(worker->loop);

    if (worker->calls_at_ms == 0)
        return false;
    if (now_ms < worker->calls_at_ms) {
        room_later(worker, worker->calls_at_ms - now_ms);
        return true;
    }
    if (worker->most_calls == worker->all_calls) {
        worker->calls_at_ms = 0;
        log_event(LOG_INFO, "as many calls at once as before", "calls", LOG_I64(worker->most_calls), NULL);
    } else if (now_ms >= worker->calls_at_ms + BOUND_SHORT_MS) {
        int most = worker->most_calls * 2;

        room_set_calls(worker, most < worker->all_calls ? most : worker->all_calls);
        worker->calls_at_ms = now_ms;
        room_later(worker, BOUND_SHORT_MS);
    }
    return false;
}

/* Number of calls that end during a claim and an announcement; as many are claimed ahead. */
int
room_ahead(struct worker *worker)
{
    int ahead = 2 * lease_calls_over(worker);

    /* Who carries out calls on this machine is quick to take the next one, and often has few places. */
    if (worker->options->carrier != NULL)
        return worker->most_calls == 0 ? 0 : ahead < BOUND_CHILD_AHEAD ? ahead : BOUND_CHILD_AHEAD;
    return ahead < worker->most_calls / 8 ? ahead : worker->most_calls / 8;
}

static int
call_room(struct worker *worker, const struct queue_group *group)
{
    int most = worker->most_calls;
    int free = most - holdings_calls(&worker->holdings);

    /* Outcomes that are not recorded yet have a limit, too.  Without a work connection, claim no calls. */
    if (holdings_outcomes(&worker->holdings) > most + BOUND_BATCH || slots_up(worker) == 0 || is_short(worker))
        return 0;
    if (group->channel >= 0 && free > 0) {
        int allowed = tokens(worker, group->channel);

        return allowed < free ? allowed : free;
    }
    return free + room_ahead(worker);
}

/* Number of tasks of database work that claims in flight may bring. */
static int
asked_for(const struct worker *worker)
{
    const struct claim *first = &worker->claimer.first;
    const struct claim *second = &worker->claimer.second;

    return (first->in_flight && !worker->groups[first->group].is_calls ? first->asked : 0)
           + (second->in_flight ? second->asked : 0);
}

int
room_for(struct worker *worker, const struct queue_group *group)
{
    const struct queue_limit *limit = group->queue_limit;
    int free = group->is_calls ? call_room(worker, group)
                               : room_capacity(worker) - holdings_runs(&worker->holdings) - asked_for(worker);

    if (limit->concurrency > 0 && limit->concurrency - limit->held < free)
        free = limit->concurrency - limit->held;
    return free > BOUND_CLAIM ? BOUND_CLAIM : free;
}

/* In a backlog of quick tasks, wait until half of the capacity is free: a claim of ten tasks takes about as long as a claim
 * of a hundred.  This does not hold for a group with a limit of its own, which may never have that room, nor for calls, which
 * may be slow. */
static bool
is_worth_waiting(struct worker *worker, const struct queue_group *group, int limit)
{
    int64_t wait_ms = worker->agenda.groups[group - worker->groups].claimed_ms + BOUND_CALL_WAIT_MS - loop_now_ms(worker->loop);

    if (group->queue_limit->concurrency > 0 || group->channel >= 0)
        return false;
    if (!group->is_calls)
        return worker->batches[SLOT_EXECUTE] > 1 && limit < room_capacity(worker) / 2
               && holdings_runs(&worker->holdings) + asked_for(worker) > limit;
    if (worker->options->carrier != NULL && limit < (worker->most_calls + room_ahead(worker)) / 4
        && holdings_calls(&worker->holdings) > worker->most_calls && wait_ms > 0) {
        room_later(worker, wait_ms);
        return true;
    }
    if (limit >= worker->most_calls / 20 || holdings_calls(&worker->holdings) == 0 || wait_ms <= 0)
        return false;
    room_later(worker, wait_ms);
    return true;
}

/* Did a look behind the tasks of full hosts find nothing a moment ago?  Such a look passes over all tasks of these hosts, so
 * it is not repeated at once. */
static bool
has_looked_behind(struct worker *worker, const struct queue_group *group)
{
    int64_t now_ms = loop_now_ms(worker->loop);

    if (!group->is_calls || now_ms >= group->behind_due_ms || !hosts_are_full(&worker->hosts, now_ms))
        return false;
    room_later(worker, group->behind_due_ms - now_ms);
    return true;
}

int
room_now(struct worker *worker, const struct queue_group *group)
{
    int room = room_for(worker, group);

    return room < 1 || is_worth_waiting(worker, group, room) || has_looked_behind(worker, group) ? 0 : room;
}
