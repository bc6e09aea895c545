/*
 * What must hold.
 *
 *   at every pass     a worker's counters and lists agree with what it holds
 *   at every send     the lease is the newest of its task, announced, and not over; one request per lease
 *   at every expiry   its holder was not well
 *   twice a second    no due task waits while a worker that is well has nothing of its kind; statements are bounded; no due
 *                     schedule waits while a worker is well
 *   at every decision no slot of a schedule is decided about twice
 *   at a stop         within the grace; nothing is left leased
 *   at the end        every task has ended; every slot is on record; what workers were told is recorded; those with nothing to do
 * slept
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "task/worker_private.h"

/* --- counters --------------------------------------------------------------------------------- */

struct counts {
    int held, functions, calls, announced, placed, outcomes, suspects;
};

static void
count_task(const struct task *task, struct counts *counts)
{
    counts->held++;
    counts->functions += task->kind == TASK_RUNS;
    counts->calls += task->kind == TASK_CALLS && task->report == NULL;
    counts->announced += task->state == TASK_ANNOUNCING || task->state == TASK_ANNOUNCED || task->state == TASK_CALLING;
    counts->placed += task->state == TASK_CALLING;
    counts->outcomes += task->report != NULL;
    counts->suspects += task->crash_count > 1;
    if (list_is_empty(&task->node))
        sim_fail("task %" PRId64 " is on no list", task->id);
    if ((task->state == TASK_ANSWERED || task->state == TASK_REPORTING) && task->report == NULL)
        sim_fail("task %" PRId64 " has no outcome", task->id);
}

static void
expect(const struct sim_worker *worker, const char *what, int told, int counted)
{
    if (told != counted)
        sim_fail("worker %d says %d %s, and there are %d", worker->number, told, what, counted);
}

static void
check_hosts(const struct sim_worker *owner)
{
    const struct worker *worker = owner->worker;
    int held = 0;
    int placed = 0;

    for (struct list *node = worker->hosts.all.next; node != &worker->hosts.all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        held += host->held;
        placed += host->placed;
    }
    expect(owner, "tasks of hosts", worker->hosts.held, held);
    expect(owner, "calls of hosts", worker->hosts.placed, placed);
}

static void
check_counters(const struct sim_worker *owner)
{
    const struct worker *worker = owner->worker;
    struct counts counts = {0};
    int in_queues = 0;
    int with_host = 0;

    for (struct list *node = worker->holdings.all.next; node != &worker->holdings.all; node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, held);

        count_task(task, &counts);
        with_host += task->host != NULL;
    }
    for (int i = 0; i < worker->options->queue_count + 1; i++)
        in_queues += worker->queue_limits[i].held;
    expect(owner, "tasks held", worker->holdings.count, counts.held);
    expect(owner, "functions", holdings_runs(&worker->holdings), counts.functions);
    expect(owner, "calls", holdings_calls(&worker->holdings), counts.calls);
    expect(owner, "calls announced", holdings_announced(&worker->holdings), counts.announced);
    expect(owner, "calls with a place", holdings_calling(&worker->holdings), counts.placed);
    expect(owner, "outcomes", holdings_outcomes(&worker->holdings), counts.outcomes);
    expect(owner, "suspects", worker->holdings.suspects, counts.suspects);
    expect(owner, "tasks of queues", in_queues, counts.held);
    expect(owner, "tasks with a host", worker->hosts.held, with_host);
    check_hosts(owner);
}

/* --- passes -------------------------------------------------------------------------------------- */

static bool
is_cut_off(const struct worker *worker)
{
    return !worker->is_started || !db_conn_is_up(worker->control) || slots_up(worker) == 0;
}

static bool
has_free_slot(const struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        if (slot_is_free(&worker->slots[i]) && db_conn_is_up(worker->slots[i].conn))
            return true;
    }
    return false;
}

/* What it may be excused by. */
static void
note_state(struct sim_worker *owner)
{
    const struct worker *worker = owner->worker;

    if (owner->loop.frozen_until_us > sim->now_us || is_cut_off(worker))
        owner->well_since_us = sim->now_us;
    if (worker->holdings.count > 0)
        owner->idle_us = sim->now_us;
    owner->queue_full_us = worker->queue_limits[0].concurrency > 0
                                   && worker->queue_limits[0].held >= worker->queue_limits[0].concurrency
                               ? sim->now_us
                               : owner->queue_full_us;
    if (hosts_are_full(&worker->hosts, loop_now_ms(&owner->loop)))
        owner->host_full_us = sim->now_us;
    /* Beside a suspect nothing is taken, and what cannot be announced is for others. */
    if (holdings_runs(&worker->holdings) > 0 || worker->holdings.suspects > 0 || !has_free_slot(worker))
        owner->functions_idle_us = sim->now_us;
    if (holdings_calls(&worker->holdings) > 0 || worker->holdings.suspects > 0 || !has_free_slot(worker)
        || (owner->is_program && !program_has_place(worker->options->carrier)))
        owner->calls_idle_us = sim->now_us;
}

void
check_pass(struct sim_worker *owner)
{
    const struct worker *worker = owner->worker;

    if (worker == NULL || sim->has_failed)
        return;
    check_counters(owner);
    note_state(owner);
    if (worker->tasks_done != owner->told_done)
        sim_fail("worker %d counts %" PRId64 " tasks as done, and was told of %" PRId64, owner->number, worker->tasks_done,
            owner->told_done);
}

/* --- sends and expiries ----------------------------------------------------------------------------- */

void
check_send(const struct sim_worker *owner, int64_t task_id, int32_t lease_no)
{
    struct sim_task *task = model_task(task_id);
    struct sim_lease *lease = &task->leases[lease_no];

    sim_say("worker %d sends task %" PRId64 ", lease %d", owner->number, task_id, lease_no);
    if (!model_holds(task, owner->number, lease_no))
        sim_fail("worker %d called for task %" PRId64 " after lease %d was over", owner->number, task_id, lease_no);
    else if (sim->now_us > task->expires_us)
        sim_fail("worker %d called for task %" PRId64 " %" PRId64 " ms after lease %d had run out", owner->number, task_id,
            (sim->now_us - task->expires_us) / 1000, lease_no);
    else if (!lease->was_dispatched)
        sim_fail("worker %d called for task %" PRId64 " unannounced", owner->number, task_id);
    if (++lease->sends > 1)
        sim_fail("worker %d called twice for task %" PRId64 " under lease %d", owner->number, task_id, lease_no);
}

/* Nobody who is well loses a lease; a claim whose answer was lost, and what is left to its lease, aside.  So is a run that
 * outlived its lease and was rolled back: nobody could renew it, and for a moment it is anybody's. */
void
check_expired(const struct sim_task *task)
{
    const struct sim_lease *lease = &task->leases[task->lease_no];
    const struct sim_worker *owner = sim->workers[lease->worker];
    int64_t since_us = sim->now_us - lease->length_us - SIM_SECOND;

    if (owner->worker == NULL || sim->disturbed_us > since_us || owner->well_since_us > since_us || owner->stop_us > 0
        || lease->leased_us < sim->disturbed_us || lease->leased_us < owner->well_since_us || task->mood == MOOD_KILLS
        || sim->now_us - task->rolled_back_us < 2 * SIM_SECOND)
        return;
    sim_fail("worker %d is well and lost lease %d of task %" PRId64, owner->number, task->lease_no, task->id);
}

/* --- statements ---------------------------------------------------------------------------------------- */

enum { BUSY_STATEMENTS = 400, TASK_STATEMENTS = 15 }; /* of one worker in a second, and more for each lease */

/* Of one that has nothing to do: a look at each group at the poll interval, and when the gate was not to be had; beside
 * these, the next due time, a sign of life, and questions at the gate. */
static int64_t
idle_bound(const struct worker *worker)
{
    int64_t looks = 3 + 2 * (1000 / worker->options->poll_ms);
    int64_t groups = 0;

    for (int i = 0; i < worker->group_count; i++)
        groups += worker->groups[i].types != NULL;
    return 10 + looks * groups;
}

/* Has a task become due a moment ago, or a pause ended? */
static bool
is_news(void)
{
    for (int i = 0; i < sim->queue_count; i++) {
        if (sim->queues[i].paused_until_us > sim->now_us - 3 * SIM_SECOND)
            return true;
    }
    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *task = sim->tasks[i];

        if (task->place == PLACE_READY && task->available_us <= sim->now_us && task->available_us > sim->now_us - 3 * SIM_SECOND)
            return true;
    }
    return false;
}

void
check_statement(struct sim_worker *owner, enum statement statement)
{
    sim_say("worker %d sends %s", owner->number, statements[statement].name);
    sim_mix((uint64_t)statement);
    sim->statements++;
    owner->statements++;
    if (sim->now_us - owner->window_us >= SIM_SECOND) {
        owner->window_us = sim->now_us;
        owner->window_statements = 0;
        owner->earlier_leases = owner->window_leases;
        owner->window_leases = 0;
    }
    owner->window_statements++;
    if (statement == STATEMENT_CLAIM)
        owner->entered_us = 0;
    /* Behind the tasks of a full host it looks more often. */
    if (sim->now_us - sim->worked_us > 3 * SIM_SECOND && sim->now_us - sim->disturbed_us > 5 * SIM_SECOND
        && sim->now_us - owner->well_since_us > 5 * SIM_SECOND && owner->window_statements > idle_bound(owner->worker)
        && sim->now_us - owner->host_full_us > SIM_SECOND && !is_news())
        sim_fail("worker %d has nothing to do and sends %d statements in a second", owner->number, (int)owner->window_statements);
    if (owner->window_statements > BUSY_STATEMENTS + TASK_STATEMENTS * (owner->window_leases + owner->earlier_leases))
        sim_fail("worker %d sends %d statements in a second, for %d leases", owner->number, (int)owner->window_statements,
            (int)(owner->window_leases + owner->earlier_leases));
}

static bool
is_one_of(const char *text, const char *one, const char *other)
{
    return text != NULL && (strcmp(text, one) == 0 || strcmp(text, other) == 0);
}

/* Ends that this answer tells of. */
void
check_answer(struct sim_worker *owner, enum statement statement, const struct db_result *result)
{
    if (statement == STATEMENT_GATE_ENTER && owner->worker->gate_state != GATE_FOLLOWED
        && is_one_of(db_result_text(result, 0, 0), "held", "follows"))
        owner->entered_us = sim->now_us;
    if (statement == STATEMENT_COMPLETE_NOOP)
        owner->told_done += db_result_i64(result, 0, 0, 0);
    if (statement == STATEMENT_PREPARE)
        owner->told_done += is_one_of(db_result_text(result, 0, 0), "completed", "completed");
    for (int row = 0; row < db_result_rows(result); row++) {
        if (statement == STATEMENT_EXECUTE || statement == STATEMENT_EXECUTE_BATCH || statement == STATEMENT_EXECUTE_NEXT)
            owner->told_done += db_result_text(result, row, 1) != NULL
                                && !is_one_of(db_result_text(result, row, 1), "retry", "waiting");
        else if (statement == STATEMENT_FINISH_BATCH || statement == STATEMENT_RECORD_RESULT
                 || statement == STATEMENT_BEGIN_DISPATCH || statement == STATEMENT_BEGIN_NEXT)
            owner->told_done += is_one_of(db_result_text(result, row, 1), "completed", "quarantined");
    }
}

/* --- waiting ---------------------------------------------------------------------------------------------- */

static bool
may_start(const struct sim_task *task)
{
    const struct sim_queue *queue = &sim->queues[task->queue];

    return task->place == PLACE_READY && task->available_us <= sim->now_us && task->crash_count <= 1
           && queue->paused_until_us == 0 && queue->max_running == 0 && task->locked_by == NULL;
}

static int64_t
latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Its host has failed too often, as the worker sees it. */
static bool
is_closed(const struct worker *worker, const struct sim_task *task)
{
    char name[64];

    (void)snprintf(name, sizeof(name), "h%d.example", task->host);
    for (struct list *node = worker->hosts.all.next; node != &worker->hosts.all; node = node->next) {
        const struct host *host = LIST_OWNER(node, struct host, node);

        if (host->close_ms > 0 && (strcmp(host->name, name) == 0 || host->name[0] == '/'))
            return true;
    }
    return false;
}

/* Nobody is told of a task for later; if it commits about when it is due, the next due time does not tell of it either. */
static int64_t
bound_of(const struct sim_task *task)
{
    bool is_late = task->lease_no == 0 && task->available_us > task->enqueued_us + SIM_SECOND
                   && task->committed_us > task->available_us - SIM_SECOND * 3 / 2;

    return sim->wait_bound_us + (is_late ? sim->poll_ms * SIM_MS : 0);
}

static void
check_waiting(const struct sim_task *task, const struct sim_worker *owner)
{
    bool is_call = model_is_call(task->kind);
    int64_t since_us = latest(task->available_us, task->committed_us);
    int64_t waited_us;

    if (owner->is_program != model_is_program(task->kind))
        return; /* It is for others. */
    if (owner->worker == NULL || owner->stop_us > 0 || (is_call && is_closed(owner->worker, task)))
        return;
    since_us = latest(since_us, latest(sim->disturbed_us, owner->well_since_us));
    if (task->queue == 0)
        since_us = latest(since_us, owner->queue_full_us);
    since_us = latest(since_us, is_call ? owner->calls_idle_us : owner->functions_idle_us);
    waited_us = sim->now_us - since_us;
    sim->longest_wait_us = latest(sim->longest_wait_us, waited_us);
    if (waited_us > bound_of(task))
        sim_fail("task %" PRId64 " (%s) is due, and worker %d, with nothing to do, has not taken it for %" PRId64 " ms", task->id,
            model_type(task->kind), owner->number, waited_us / 1000);
}

/* Whoever sleeps is notified: after the holder of the gate has died, another worker takes it within BOUND_FOLLOW_MS. */
static void
check_gate(const struct sim_worker *owner)
{
    const struct worker *worker = owner->worker;
    int64_t open_us = sim->now_us - latest(latest(sim->gate_us, sim->disturbed_us), owner->well_since_us);
    int64_t asleep_us = (loop_now_ms(&owner->loop) - worker->agenda.asleep_since_ms) * SIM_MS;

    if (look_is_asleep(worker) && owner->stop_us == 0 && worker->can_listen && db_conn_is_up(worker->gate)
        && open_us > BOUND_FOLLOW_MS * SIM_MS + SIM_SECOND && asleep_us > open_us)
        sim_fail("worker %d sleeps, and the gate has been open for %" PRId64 " ms", owner->number, open_us / 1000);
    /* What was committed before it entered, nobody has told it. */
    if (owner->entered_us > latest(sim->disturbed_us, owner->well_since_us) && owner->idle_us < owner->entered_us
        && owner->stop_us == 0 && sim->now_us - owner->entered_us > SIM_SECOND)
        sim_fail("worker %d has entered the gate, and has not looked for %" PRId64 " ms", owner->number,
            (sim->now_us - owner->entered_us) / 1000);
}

void
check_often(void)
{
    if (server_is_gate_wanted() || sim->open_enqueuers > 0)
        sim->gate_us = sim->now_us;
    for (int i = 0; i < sim->worker_count; i++) {
        struct sim_worker *owner = sim->workers[i];

        if (owner->worker == NULL)
            continue;
        note_state(owner);
        check_gate(owner);
        if (owner->stop_us > 0 && sim->now_us - latest(owner->stop_us, owner->loop.frozen_until_us) > owner->stop_bound_us)
            sim_fail("worker %d was told to stop %" PRId64 " ms ago", owner->number, (sim->now_us - owner->stop_us) / 1000);
    }
    for (int i = 0; i < sim->task_count && !sim->has_failed; i++) {
        if (!may_start(sim->tasks[i]))
            continue;
        for (int j = 0; j < sim->worker_count; j++)
            check_waiting(sim->tasks[i], sim->workers[j]);
    }
    schedules_check();
}

/* --- ends --------------------------------------------------------------------------------------------------- */

void
check_stopped(const struct sim_worker *owner)
{
    if (sim->disturbed_us > owner->stop_us || owner->well_since_us > owner->stop_us || owner->was_hurried)
        return;
    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *task = sim->tasks[i];

        if (task->place == PLACE_RUNNING && task->leases[task->lease_no].worker == owner->number
            && task->leases[task->lease_no].leased_us > latest(sim->disturbed_us, owner->born_us) && task->mood != MOOD_KILLS)
            sim_fail("worker %d has stopped and left task %" PRId64 " leased", owner->number, task->id);
    }
}

static void
check_lease(const struct sim_task *task, int lease_no)
{
    const struct sim_lease *lease = &task->leases[lease_no];

    if (lease->was_told && !lease->is_recorded && !sim->workers[lease->worker]->was_killed
        && !sim->workers[lease->worker]->was_hurried)
        sim_fail("worker %d knew the outcome of task %" PRId64 ", lease %d, and it is not recorded", lease->worker, task->id,
            lease_no);
}

void
check_end(void)
{
    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *task = sim->tasks[i];

        if (task->place != PLACE_COMPLETED && task->place != PLACE_OPEN)
            sim_fail("task %" PRId64 " (kind %d, mood %d) has not ended: place %d, lease %d", task->id, (int)task->kind,
                (int)task->mood, (int)task->place, task->lease_no);
        for (int j = 1; j <= task->lease_no; j++)
            check_lease(task, j);
    }
    schedules_check_end();
}

/* --- the verdict ------------------------------------------------------------------------------------------------ */

void
sim_fail(const char *format, ...)
{
    va_list args;

    if (sim->has_failed)
        return;
    sim->has_failed = true;
    va_start(args, format);
    (void)vsnprintf(sim->failure, sizeof(sim->failure), format, args);
    va_end(args);
    if (sim->is_trace)
        (void)printf("%12.6f  FAILED: %s\n", (double)sim->now_us / 1e6, sim->failure);
}

void
sim_tell(const char *format, ...)
{
    va_list args;

    (void)printf("%12.6f  ", (double)sim->now_us / 1e6);
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)printf("\n");
}

/* FNV-1a */
void
sim_mix(uint64_t value)
{
    sim->digest = (sim->digest ^ value) * 1099511628211U;
}

void
sim_disturb(int64_t for_us)
{
    sim->disturbed_us = latest(sim->disturbed_us, sim->now_us + for_us);
}
