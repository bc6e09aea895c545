/*
 * A history, drawn from its seed: workers that start, stop, are killed and frozen; enqueuers; a server that restarts; queues
 * that are paused; schedules; tasks that are cancelled.  Then all faults end, and everything must come to its end: each task,
 * and, told to stop, each worker.
 */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "channel/channel.h"
#include "sim.h"
#include "task/worker_private.h"
#include "trace/trace_export.h"

enum { CALM_S = 7200, QUIET_S = 12 }; /* time until all tasks must have ended; idle time at the end */

/* An enqueuer's transaction. */
struct enqueuer {
    int first;
    int count;
    int queue;
    bool must_notify;
    bool has_gate;
    int server_no;
};

static int64_t active_us; /* of this history; then it is calm */

bool
world_has_faults(void)
{
    return !sim->is_calm;
}

/* --- workers ---------------------------------------------------------------------------------- */

static struct channel_set *
new_channels(void)
{
    struct channel_options options = {.email_provider = "log",
        .sms_provider = "twilio",
        .twilio_sid = "AC0",
        .twilio_token = "token-0",
        .twilio_from = "+15000",
        .sms_rate = sim_chance(500) ? 0 : (double)sim_between(2, 40)};
    struct channel_set *set;
    struct err err;

    if (!channel_set_new(&options, &set, &err)) {
        sim_fail("channels: %s", err.message);
        abort();
    }
    return set;
}

static char with_program[1]; /* cookie of a start: a worker with a program */

static struct channel_set *
new_program_channels(void)
{
    struct channel_options options = {.carries_programs = true};
    struct channel_set *set;
    struct err err;

    if (!channel_set_new(&options, &set, &err))
        abort();
    return set;
}

static void
start_worker(bool is_program)
{
    static const struct worker_queue queues[] = {{"q0", 2}};
    static const struct trace_options traces = {.url = "http://collector", .source = {"reeve", "simulated", "0"}};
    struct sim_worker *owner;

    if (sim->worker_count == SIM_WORKERS) {
        sim_fail("more than %d workers were started", SIM_WORKERS);
        return;
    }
    owner = must_alloc(sizeof(*owner));
    owner->number = sim->worker_count;
    owner->is_program = is_program;
    sim->workers[sim->worker_count++] = owner;
    owner->options = (struct worker_options){.conninfo = "simulated",
        .name = "simulated",
        .version = "0",
        .schema_version = 1,
        .concurrency = (int)sim_between(1, 6),
        .per_host = (int)sim_between(1, 6),
        .channel_concurrency = (int)sim_between(1, 24),
        .channels = is_program ? new_program_channels() : new_channels(),
        .carrier = is_program ? program_simulated() : NULL,
        .lease_ms = sim->lease_ms,
        .poll_ms = sim->poll_ms,
        .grace_ms = sim_between(500, 10000),
        .lock_timeout_ms = sim_between(500, 3000),
        .handler_timeout_ms = 20000,
        .idle_log_ms = 60000};
    if (sim_chance(200)) {
        owner->options.queues = queues;
        owner->options.queue_count = 1;
        owner->options.has_other_queues = true;
    }
    if (sim_chance(300))
        owner->options.trace = &traces;
    owner->loop.number = owner->number;
    owner->loop.owner = owner;
    owner->born_us = sim->now_us;
    owner->well_since_us = sim->now_us;
    owner->stop_bound_us = (owner->options.grace_ms + BOUND_RECONNECT_MAX_MS + 2 * BOUND_BUSY_RETRY_MS) * SIM_MS;
    if (owner->options.trace != NULL)
        owner->stop_bound_us += BOUND_TRACE_STOP_MS * SIM_MS;
    sim_say("worker %d starts", owner->number);
    owner->worker = worker_new(&owner->loop, &owner->options, is_program ? 0 : owner->options.channel_concurrency);
    (void)snprintf(owner->id, sizeof(owner->id), "%s", owner->worker->id);
    owner->loop.pass = worker_pass;
    owner->loop.pass_cookie = owner->worker;
}

static void
on_start(void *cookie)
{
    if (!sim->is_ending)
        start_worker(cookie == with_program);
}

/* Another worker of this kind starts after a while. */
static void
start_like(const struct sim_worker *owner, int64_t after_us)
{
    (void)sim_after(NULL, after_us, on_start, owner->is_program ? with_program : NULL);
}

void
world_worker_ended(struct sim_worker *owner)
{
    struct worker *worker = owner->worker;
    int exit_code = worker->exit_code;

    sim_say("worker %d ends with code %d", owner->number, exit_code);
    owner->was_hurried = worker->is_hurried;
    worker_forget_calls(worker);
    if (owner->options.carrier != NULL)
        (void)owner->options.carrier->stop(owner->options.carrier->self);
    sim_kill_loop(&owner->loop);
    if (owner->stop_us > 0)
        check_stopped(owner);
    else if (sim->disturbed_us < owner->born_us)
        sim_fail("worker %d ended by itself with code %d", owner->number, exit_code);
    owner->worker = NULL;
    worker_free(worker);
    if (owner->stop_us == 0)
        start_like(owner, SIM_SECOND);
}

static void
kill_worker(struct sim_worker *owner)
{
    struct worker *worker = owner->worker;

    sim_say("worker %d is killed", owner->number);
    sim_disturb(0);
    sim_kill_loop(&owner->loop);
    owner->was_killed = true;
    owner->worker = NULL;
    worker_free(worker);
}

static void
stop_worker(struct sim_worker *owner)
{
    sim_say("worker %d is told to stop", owner->number);
    if (owner->stop_us == 0)
        owner->stop_us = sim->now_us;
    worker_on_stop_signal(owner->worker, SIGTERM);
}

/* One that is alive, or NULL. */
static struct sim_worker *
any_worker(void)
{
    int first = (int)sim_between(0, sim->worker_count - 1);

    for (int i = 0; i < sim->worker_count; i++) {
        struct sim_worker *owner = sim->workers[(first + i) % sim->worker_count];

        if (owner->worker != NULL && owner->stop_us == 0 && owner->loop.frozen_until_us <= sim->now_us)
            return owner;
    }
    return NULL;
}

/* What is done to a worker is done in its process. */
static void
on_stop(void *cookie)
{
    struct sim_worker *owner = cookie;

    if (owner->worker != NULL)
        stop_worker(owner);
}

static void
tell_to_stop(struct sim_worker *owner)
{
    (void)sim_after(&owner->loop, 0, on_stop, owner);
}

static void
on_hup(void *cookie)
{
    struct sim_worker *owner = cookie;

    if (owner->worker != NULL)
        worker_on_hup(owner->worker, SIGHUP);
}

/* One stops in order, and another one takes its place. */
static void
on_replace(void *cookie)
{
    struct sim_worker *owner = any_worker();

    (void)cookie;
    if (owner == NULL || sim->is_calm)
        return;
    tell_to_stop(owner);
    start_like(owner, sim_between(0, 5 * SIM_SECOND));
}

static void
on_mishap(void *cookie)
{
    struct sim_worker *owner = any_worker();
    int64_t for_us = sim_chance(500) ? sim_between(0, 3 * SIM_SECOND) : sim_between(0, 3 * sim->lease_ms * SIM_MS);

    (void)cookie;
    if (sim->is_calm || owner == NULL)
        return;
    if (owner->is_program && sim_chance(300)) {
        (void)sim_after(&owner->loop, 0, on_hup, owner);
    } else if (sim->faults.kills && sim_chance(400)) {
        kill_worker(owner);
        start_like(owner, sim_between(0, 5 * SIM_SECOND));
    } else if (sim->faults.freezes && sim_chance(500)) {
        bool is_suspended = sim_chance(300);

        sim_say("worker %d is %s for %d ms", owner->number, is_suspended ? "suspended" : "frozen", (int)(for_us / 1000));
        sim_disturb(for_us);
        sim_freeze(&owner->loop, for_us, is_suspended);
    } else if (sim->faults.cuts && sim_chance(500)) {
        sim_say("worker %d cannot reach the database for %d ms", owner->number, (int)(for_us / 1000));
        sim_disturb(for_us + 10 * SIM_SECOND);
        owner->cut_until_us = sim->now_us + for_us;
        server_cut(owner);
    } else if (sim->faults.restarts && sim_chance(400)) {
        server_restart(sim_between(0, 4 * SIM_SECOND));
    } else {
        tell_to_stop(owner);
        if (sim_chance(300))
            (void)sim_after(&owner->loop, sim_between(0, 3 * SIM_SECOND), on_stop, owner);
        start_like(owner, sim_between(0, 5 * SIM_SECOND));
    }
}

/* --- enqueuers --------------------------------------------------------------------------------- */

static void
on_commit(void *cookie)
{
    struct enqueuer *enqueuer = cookie;

    bool is_lost = enqueuer->server_no != sim->server_no; /* A restart has ended it. */

    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];

        if (task->transaction != enqueuer->first)
            continue;
        task->transaction = -1;
        task->place = is_lost ? PLACE_OPEN : PLACE_READY;
        task->committed_us = sim->now_us;
    }
    if (is_lost) {
        free(enqueuer);
        return;
    }
    sim->committed_us = sim->now_us;
    sim->worked_us = sim->now_us;
    sim_say("%d tasks from %d on are committed", enqueuer->count, enqueuer->first + 1);
    if (enqueuer->must_notify)
        server_notify("worker_tasks", sim->queues[enqueuer->queue].name);
    if (enqueuer->has_gate)
        server_on_shared_gate();
    free(enqueuer);
}

static enum sim_mood
any_mood(enum sim_kind kind)
{
    if (sim_chance(800) || kind == KIND_NOOP)
        return MOOD_GOOD;
    if (model_is_call(kind)) {
        static const enum sim_mood moods[] = {MOOD_RAISES, MOOD_PASSING, MOOD_HANDLER_FAILS};

        return kind == KIND_JOB ? MOOD_GOOD : moods[sim_between(0, 2)];
    }
    if (sim_chance(50))
        return MOOD_KILLS;
    return (enum sim_mood)sim_between(MOOD_RAISES, MOOD_AT_COMMIT);
}

struct sim_task *
world_task(enum sim_kind kind, int queue, int64_t at_us)
{
    struct sim_task *task;

    if (model_is_program(kind) && !sim->has_programs)
        kind = KIND_HTTP;
    task = model_add(kind, queue);

    task->mood = any_mood(kind);
    task->mood_left = (int)sim_between(1, 3);
    if (!model_is_call(kind) && task->mood == MOOD_GOOD && sim_chance(30) && world_has_faults())
        task->mood = MOOD_UNWELL;
    task->priority = sim_chance(700) ? 0 : sim_between(-1, 1);
    task->work_us = sim_chance(700)   ? sim_between(50, 2000)
                    : sim_chance(700) ? sim_between(0, 50000)
                                      : sim_between(0, 4 * SIM_SECOND);
    if (model_is_call(kind))
        task->work_us *= 4;
    task->timeout_ms = sim_chance(100) ? sim_between(200, 3000) : 0;
    task->host = (int)sim_between(0, SIM_HOSTS - 1);
    task->is_hidden = kind == KIND_HTTP && sim_chance(200);
    task->available_us = at_us;
    return task;
}

static void
on_enqueue(void *cookie)
{
    static const int sizes[] = {1, 1, 1, 2, 5, 20};
    struct enqueuer *enqueuer;
    enum sim_kind kind = (enum sim_kind)sim_between(0, KINDS - 1);
    int64_t at_us = sim_chance(800) ? sim->now_us : sim->now_us + sim_between(0, 15 * SIM_SECOND);
    bool is_mixed = sim_chance(200);

    (void)cookie;
    if (sim->task_count + 25 > SIM_TASKS / 2 || sim->now_us < sim->down_until_us)
        return;
    enqueuer = must_alloc(sizeof(*enqueuer));
    enqueuer->first = sim->task_count;
    enqueuer->count = (int)sim_between(1, sizes[sim_between(0, 5)]);
    enqueuer->queue = (int)sim_between(0, sim->queue_count - 1);
    enqueuer->server_no = sim->server_no;
    for (int i = 0; i < enqueuer->count; i++)
        world_task(is_mixed ? (enum sim_kind)sim_between(0, KINDS - 1) : kind, enqueuer->queue, at_us)->transaction =
            enqueuer->first;
    if (at_us <= sim->now_us + SIM_SECOND) {
        enqueuer->has_gate = server_try_shared_gate();
        enqueuer->must_notify = !enqueuer->has_gate;
    }
    sim_say("%d tasks are enqueued in %s, from %d on%s", enqueuer->count, sim->queues[enqueuer->queue].name, enqueuer->first + 1,
        enqueuer->must_notify ? ", to be notified" : "");
    (void)sim_after(
        NULL, sim_chance(900) ? sim_between(50, 3 * SIM_MS) : sim_between(0, sim->slow_commit_us), on_commit, enqueuer);
}

/* --- operators ----------------------------------------------------------------------------------- */

static void
on_pause_end(void *cookie)
{
    struct sim_queue *queue = cookie;

    if (queue->paused_until_us == INT64_MAX) {
        queue->paused_until_us = sim->now_us;
        server_notify("worker_queue_change", queue->name);
    }
}

static void
on_pause(void *cookie)
{
    struct sim_queue *queue = &sim->queues[sim_between(0, sim->queue_count - 1)];

    (void)cookie;
    if (sim->is_calm || queue->paused_until_us > sim->now_us)
        return;
    queue->paused_until_us = sim_chance(500) ? sim->now_us + sim_between(0, 10 * SIM_SECOND) : INT64_MAX;
    sim_say("%s is paused", queue->name);
    (void)sim_after(NULL, sim_between(0, 10 * SIM_SECOND), on_pause_end, queue);
}

static void
on_cancel(void *cookie)
{
    struct sim_task *task = sim->task_count == 0 ? NULL : sim->tasks[sim_between(0, sim->task_count - 1)];

    (void)cookie;
    if (task == NULL || (task->place != PLACE_READY && task->place != PLACE_RUNNING))
        return;
    sim_say("task %d is cancelled", (int)task->id);
    model_cancel(task);
}

/* --- a history -------------------------------------------------------------------------------------- */

static void
on_check(void *cookie)
{
    (void)cookie;
    check_often();
    (void)sim_after(NULL, SIM_SECOND / 2, on_check, NULL);
}

/* Is there a worker of this kind that goes on? */
static bool
has_worker(bool is_program)
{
    for (int i = 0; i < sim->worker_count; i++) {
        const struct sim_worker *owner = sim->workers[i];

        if (owner->worker != NULL && owner->stop_us == 0 && owner->is_program == is_program)
            return true;
    }
    return false;
}

static void
on_calm(void *cookie)
{
    (void)cookie;
    sim_say("it is calm");
    sim->is_calm = true;
    sim->calm_since_us = sim->now_us;
    for (int i = 0; i < sim->queue_count; i++)
        on_pause_end(&sim->queues[i]);
    schedules_resume();
    if (!has_worker(false) || sim_chance(100))
        start_worker(false);
    if (sim->has_programs && !has_worker(true))
        start_worker(true);
}

static int
any_of(int a, int b, int c, int d)
{
    int all[] = {a, b, c, d};

    return all[sim_between(0, 3)];
}

static void
choose_faults(void)
{
    struct sim_faults *faults = &sim->faults;

    if (sim_chance(250))
        return; /* A gentle one. */
    faults->lost_notices = any_of(0, 100, 500, 1000);
    faults->late_notices = any_of(0, 0, 200, 500);
    if (sim_chance(250))
        return;
    faults->lose_before = any_of(0, 0, 3, 20);
    faults->lose_during = any_of(0, 0, 3, 20);
    faults->lose_after = any_of(0, 3, 10, 30);
    faults->slow = any_of(0, 5, 20, 50);
    faults->refuse = any_of(0, 0, 5, 30);
    faults->provider = any_of(0, 50, 200, 500);
    faults->restarts = sim_chance(400);
    faults->kills = sim_chance(500);
    faults->freezes = sim_chance(500);
    faults->cuts = sim_chance(500);
}

static void
scatter(int count, loop_fn *fn)
{
    for (int i = 0; i < count; i++)
        (void)sim_after(NULL, sim_between(0, active_us), fn, NULL);
}

/* Told of it, a worker looks at once; not told, at the next due time or at the front, which is looked at once a second, or
 * less often if it costs much, as after a slow answer.  If it may not be told, the poll interval comes first. */
static int64_t
wait_bound_us(void)
{
    int64_t front_us = 2 * BOUND_FRONT_FACTOR * (2 * sim->latency_us + 3 * SIM_MS);
    int64_t most_us = BOUND_FRONT_MAX_MS * SIM_MS;

    if (sim->faults.lost_notices == 0 && sim->faults.late_notices == 0)
        return 2 * SIM_SECOND + (front_us < most_us && sim->faults.slow == 0 ? front_us : most_us);
    return sim->poll_ms * SIM_MS + most_us + 3 * SIM_SECOND;
}

static void
plan(void)
{
    static const int64_t polls[] = {500, 2000, 5000, 30000};
    static const int64_t leases[] = {2000, 3000, 5000, 12000};
    int workers = (int)sim_between(1, 3);

    choose_faults();
    active_us = sim_between(3, 40) * SIM_SECOND;
    sim->poll_ms = polls[sim_between(0, 3)];
    sim->lease_ms = sim_chance(50) ? 60000 : leases[sim_between(0, 3)];
    sim->latency_us = sim_chance(700) ? 300 : sim_between(300, 20 * SIM_MS);
    sim->slow_commit_us = 3 * SIM_SECOND;
    sim->wait_bound_us = wait_bound_us();
    sim->queue_count = (int)sim_between(1, SIM_QUEUES);
    for (int i = 0; i < sim->queue_count; i++) {
        (void)snprintf(sim->queues[i].name, sizeof(sim->queues[i].name), "q%d", i);
        sim->queues[i].max_running = sim_chance(200) ? (int)sim_between(1, 4) : 0;
    }
    for (int i = 0; i < workers; i++)
        (void)sim_after(NULL, sim_between(0, 2 * SIM_SECOND), on_start, NULL);
    sim->has_programs = sim_chance(400);
    for (int i = 0; sim->has_programs && i < workers; i++)
        (void)sim_after(NULL, sim_between(0, 2 * SIM_SECOND), on_start, with_program);
    scatter((int)sim_between(1, sim_chance(300) ? 80 : 20), on_enqueue);
    scatter((int)sim_between(0, 3), on_cancel);
    if (sim_chance(300))
        scatter((int)sim_between(1, 3), on_pause);
    if (sim_chance(400))
        scatter((int)sim_between(1, 3), on_replace);
    if (sim->faults.kills || sim->faults.freezes || sim->faults.restarts || sim->faults.cuts)
        scatter((int)sim_between(1, 8), on_mishap);
    schedules_plan(active_us);
    (void)sim_after(NULL, active_us, on_calm, NULL);
    (void)sim_after(NULL, SIM_SECOND / 2, on_check, NULL);
}

static bool
is_all_done(void)
{
    for (int i = sim->task_count - 1; i >= 0; i--) {
        if (sim->tasks[i]->place == PLACE_READY || sim->tasks[i]->place == PLACE_RUNNING || sim->tasks[i]->transaction >= 0)
            return false;
    }
    return schedules_are_done();
}

static bool
has_workers(void)
{
    for (int i = 0; i < sim->worker_count; i++) {
        if (sim->workers[i]->worker != NULL)
            return true;
    }
    return false;
}

static void
run_until(int64_t at_us)
{
    while (!sim->has_failed && sim->now_us < at_us && sim_step())
        continue;
}

static void
play(void)
{
    int64_t limit_us;

    plan();
    run_until(active_us + SIM_SECOND / 10);
    limit_us = sim->now_us + CALM_S * SIM_SECOND;
    while (!sim->has_failed && sim->now_us < limit_us && !is_all_done())
        run_until(sim->now_us + SIM_SECOND / 10);
    run_until(sim->now_us + QUIET_S * SIM_SECOND);
    sim->is_ending = true;
    for (int i = 0; i < sim->worker_count && !sim->has_failed; i++) {
        if (sim->workers[i]->worker != NULL)
            tell_to_stop(sim->workers[i]);
    }
    limit_us = sim->now_us + 600 * SIM_SECOND;
    while (!sim->has_failed && sim->now_us < limit_us && has_workers())
        run_until(sim->now_us + SIM_SECOND / 10);
    if (has_workers() && !sim->has_failed)
        sim_fail("a worker does not stop");
    check_end();
}

bool
world_play(uint64_t seed, bool is_trace)
{
    sim = must_alloc(sizeof(*sim));
    sim->seed = seed;
    sim->random = seed * 0x9e3779b97f4a7c15U;
    sim->is_trace = is_trace;
    sim->digest = 14695981039346656037U;
    list_init(&sim->sessions);
    list_init(&sim->dead_sessions);
    sim->tasks = must_alloc(sizeof(sim->tasks[0]) * SIM_TASKS);
    play();
    return !sim->has_failed;
}

void
world_free(void)
{
    for (int i = 0; i < sim->worker_count; i++) {
        struct worker *worker = sim->workers[i]->worker;

        sim_kill_loop(&sim->workers[i]->loop);
        sim->workers[i]->worker = NULL;
        if (worker != NULL)
            worker_free(worker);
        program_simulated_free(sim->workers[i]->options.carrier);
    }
    while (!list_is_empty(&sim->sessions))
        server_end_session(LIST_OWNER(sim->sessions.next, struct session, node));
    server_free();
    sim_drop_events();
    for (int i = 0; i < sim->task_count; i++) {
        free(sim->tasks[i]->leases);
        free(sim->tasks[i]);
    }
    for (int i = 0; i < sim->worker_count; i++)
        free(sim->workers[i]);
    free(sim->tasks);
    free(sim);
    sim = NULL;
}
