/*
 * Schedules, as sql/schema/schedule keeps them: a decision locks the row of a schedule that is due, decides about its slots in
 * order, adds their tasks and moves the time of the next decision, in one transaction.  Left out: zones, jitter, slots that wait
 * for earlier work, and pauses after failures.
 *
 * What is due is read when the transaction begins, and written when it ends.  So a decision without its lock would be made twice.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim.h"

enum { BATCH = 100 }; /* slots of one schedule that one decision fires */

static const int64_t late_us = 60 * SIM_SECOND; /* a slot that is later than this is late */

static int64_t
slot_us(const struct sim_schedule *schedule, int slot)
{
    return schedule->start_us + schedule->every_us * slot;
}

/* The first one from here on that is after a time. */
static int
slot_after(const struct sim_schedule *schedule, int slot, int64_t at_us)
{
    while (slot < schedule->slot_count && slot_us(schedule, slot) <= at_us)
        slot++;
    return slot;
}

/* --- decisions ------------------------------------------------------------------------------ */

void
schedules_lock(struct request *request)
{
    int64_t limit = strtoll(request->params[0], NULL, 10);

    for (int i = 0; i < sim->schedule_count; i++) {
        struct sim_schedule *schedule = &sim->schedules[i];

        request->first_slots[i] = -1;
        if (limit == 0 || !schedule->is_committed || schedule->fire_us > sim->now_us || schedule->locked_by != NULL)
            continue;
        schedule->locked_by = request->session;
        request->session->has_locks = true;
        request->first_slots[i] = schedule->next;
        limit--;
    }
}

void
schedules_unlock(struct session *session)
{
    for (int i = 0; i < sim->schedule_count; i++) {
        if (sim->schedules[i].locked_by == session)
            sim->schedules[i].locked_by = NULL;
    }
}

static void
account(struct sim_schedule *schedule, int slot, enum sim_account how)
{
    if (schedule->account[slot] != SLOT_UNDECIDED)
        sim_fail("schedule %d: slot %d is decided about twice", schedule->number, slot);
    schedule->account[slot] = how;
    sim_mix((uint64_t)(schedule->number * SIM_SLOTS + slot) * 4 + (uint64_t)how);
}

static void
pass_over(struct sim_schedule *schedule, int first, int end)
{
    for (int slot = first; slot < end; slot++)
        account(schedule, slot, SLOT_PASSED);
}

static void
fire(struct sim_schedule *schedule, int slot, int64_t at_us)
{
    struct sim_task *task = world_task(schedule->kind, schedule->queue, at_us);

    task->place = PLACE_READY;
    task->committed_us = sim->now_us;
    sim_say("schedule %d: slot %d is fired, task %" PRId64, schedule->number, slot, task->id);
    account(schedule, slot, SLOT_FIRED);
    schedule->newest = task;
    schedule->task_count++;
    if (server_is_gate_wanted())
        server_notify("worker_tasks", sim->queues[task->queue].name);
}

static bool
is_open(const struct sim_task *task)
{
    return task != NULL && (task->place == PLACE_READY || task->place == PLACE_RUNNING);
}

/* What the newest slot that is due may do. */
static void
decide_newest(struct sim_schedule *schedule, int slot, int64_t at_us)
{
    bool is_late = at_us - slot_us(schedule, slot) > late_us;

    if ((is_late && schedule->catch_up == CATCH_UP_SKIP) || (is_open(schedule->newest) && !schedule->may_overlap))
        pass_over(schedule, slot, slot + 1);
    else
        fire(schedule, slot, at_us);
}

static void
decide(struct sim_schedule *schedule, int first, int64_t at_us)
{
    int end = slot_after(schedule, first, at_us);
    int newest = end - 1;

    schedule->decided_us = sim->now_us;
    schedule->was_next = first;
    schedule->was_fire_us = schedule->fire_us;
    schedule->was_newest = schedule->newest;
    schedule->first_task = sim->task_count;
    schedule->task_count = 0;
    if (world_has_faults() && sim_chance(sim->faults.refuse)) {
        sim_say("schedule %d: an error passes", schedule->number);
        schedule->fire_us = at_us + (SIM_SECOND << (schedule->refusals < 6 ? schedule->refusals : 6));
        schedule->refusals++;
        return;
    }
    if (first < newest && schedule->catch_up == CATCH_UP_ALL) {
        newest = newest - first > BATCH ? first + BATCH : newest;
        for (int slot = first; slot < newest; slot++)
            fire(schedule, slot, at_us);
    } else {
        pass_over(schedule, first, newest);
    }
    if (first < end && newest == end - 1)
        decide_newest(schedule, newest++, at_us);
    schedule->refusals = 0;
    schedule->next = first < end ? newest : first;
    schedule->fire_us = schedule->next < schedule->slot_count ? slot_us(schedule, schedule->next) : INT64_MAX;
}

int
schedules_decide(struct request *request)
{
    struct sim_worker *worker = request->session->worker;
    int count = 0;

    for (int i = 0; i < sim->schedule_count; i++) {
        if (request->first_slots[i] < 0)
            continue;
        decide(&sim->schedules[i], request->first_slots[i], request->started_us);
        count++;
    }
    if (count > 0)
        sim->worked_us = sim->now_us;
    worker->asked_us = request->started_us;
    worker->asked_asleep_us = worker->loop.asleep_us;
    return count;
}

int64_t
schedules_next_us(void)
{
    int64_t first_us = INT64_MAX;

    for (int i = 0; i < sim->schedule_count; i++) {
        if (sim->schedules[i].is_committed && sim->schedules[i].fire_us < first_us)
            first_us = sim->schedules[i].fire_us;
    }
    return first_us;
}

/* The commit of a decision does not wait for the disk.  If it is lost, so are its tasks; no lease of them was on disk either. */
void
schedules_crash(void)
{
    for (int i = 0; i < sim->schedule_count; i++) {
        struct sim_schedule *schedule = &sim->schedules[i];
        bool may_be_lost = schedule->decided_us > sim->committed_us && sim->now_us - schedule->decided_us <= 600 * SIM_MS;

        for (int j = 0; j < schedule->task_count; j++) {
            const struct sim_task *task = sim->tasks[schedule->first_task + j];

            may_be_lost = may_be_lost && task->place == PLACE_READY && task->lease_no == 0;
        }
        if (!may_be_lost || sim_chance(500))
            continue;
        sim_say("schedule %d: a decision is lost", schedule->number);
        for (int slot = schedule->was_next; slot < schedule->next; slot++)
            schedule->account[slot] = SLOT_UNDECIDED;
        for (int j = 0; j < schedule->task_count; j++)
            sim->tasks[schedule->first_task + j]->place = PLACE_OPEN;
        schedule->next = schedule->was_next;
        schedule->fire_us = schedule->was_fire_us;
        schedule->newest = schedule->was_newest;
        schedule->task_count = 0;
    }
}

/* --- people ----------------------------------------------------------------------------------- */

static void
change(struct sim_schedule *schedule)
{
    schedule->changed_us = sim->now_us;
    sim->committed_us = sim->now_us;
    sim->worked_us = sim->now_us;
    server_notify("worker_control", "schedule");
}

static void
on_resume(void *cookie)
{
    struct sim_schedule *schedule = cookie;

    if (!schedule->is_paused)
        return;
    sim_say("schedule %d is resumed", schedule->number);
    schedule->is_paused = false;
    schedule->fire_us = schedule->next < schedule->slot_count ? slot_us(schedule, schedule->next) : INT64_MAX;
    change(schedule);
}

void
schedules_resume(void)
{
    for (int i = 0; i < sim->schedule_count; i++)
        on_resume(&sim->schedules[i]);
}

static void
on_pause(void *cookie)
{
    struct sim_schedule *schedule = cookie;

    if (sim->is_calm || !schedule->is_committed || schedule->locked_by != NULL || sim->now_us < sim->down_until_us)
        return;
    sim_say("schedule %d is paused", schedule->number);
    schedule->is_paused = true;
    schedule->fire_us = INT64_MAX;
    change(schedule);
    (void)sim_after(NULL, sim_between(0, 8 * SIM_SECOND), on_resume, schedule);
}

static void
on_schedule(void *cookie)
{
    struct sim_schedule *schedule = cookie;

    if (sim->now_us < sim->down_until_us) {
        (void)sim_after(NULL, SIM_SECOND, on_schedule, schedule);
        return;
    }
    sim_say("schedule %d: every %" PRId64 " ms", schedule->number, schedule->every_us / SIM_MS);
    schedule->is_committed = true;
    schedule->start_us = sim->now_us + sim_between(0, schedule->every_us);
    schedule->fire_us = slot_us(schedule, 0);
    change(schedule);
}

void
schedules_plan(int64_t active_us)
{
    /* Not drawn from the history's own numbers: a history without schedules stays as it is. */
    if ((sim->seed * 0x9e3779b97f4a7c15U) >> 32 & 1)
        return;
    sim->schedule_count = (int)sim_between(1, SIM_SCHEDULES);
    for (int i = 0; i < sim->schedule_count; i++) {
        static const enum sim_kind kinds[] = {KIND_NOOP, KIND_FUNCTION, KIND_COMMAND, KIND_HTTP, KIND_PROGRAM};
        struct sim_schedule *schedule = &sim->schedules[i];

        schedule->number = i;
        schedule->may_overlap = sim_chance(500);
        schedule->catch_up = (enum sim_catch_up)sim_between(CATCH_UP_SKIP, CATCH_UP_ALL);
        schedule->kind = kinds[sim_between(0, LENGTH(kinds) - 1)];
        schedule->queue = (int)sim_between(0, sim->queue_count - 1);
        schedule->every_us = sim_chance(500) ? SIM_SECOND : sim_between(400 * SIM_MS, 8 * SIM_SECOND);
        schedule->slot_count = (int)((active_us + 5 * SIM_SECOND) / schedule->every_us) + 1;
        schedule->slot_count = schedule->slot_count < SIM_SLOTS ? schedule->slot_count : SIM_SLOTS;
        schedule->fire_us = INT64_MAX;
        (void)sim_after(NULL, sim_between(0, active_us / 2), on_schedule, schedule);
        if (sim_chance(300))
            (void)sim_after(NULL, sim_between(0, active_us), on_pause, schedule);
    }
}

/* --- what must hold ----------------------------------------------------------------------------- */

bool
schedules_are_done(void)
{
    for (int i = 0; i < sim->schedule_count; i++) {
        if (!sim->schedules[i].is_committed || sim->schedules[i].next < sim->schedules[i].slot_count)
            return false;
    }
    return true;
}

int
schedules_slots(void)
{
    int count = 0;

    for (int i = 0; i < sim->schedule_count; i++)
        count += sim->schedules[i].next;
    return count;
}

/* A worker that has asked since the last change knows when to ask again.  Another one learns of it by a notification, or when it
 * asks anyway. */
static void
check_late(const struct sim_schedule *schedule, const struct sim_worker *owner)
{
    int64_t since_us = schedule->fire_us;
    int64_t bound_us = 2 * SIM_SECOND + 4 * sim->latency_us;
    int64_t asleep_us;

    if (owner->worker == NULL || owner->stop_us > 0)
        return;
    if (owner->asked_us <= schedule->changed_us) {
        since_us = since_us > schedule->changed_us ? since_us : schedule->changed_us;
        if (sim->faults.lost_notices > 0 || sim->faults.late_notices > 0)
            bound_us += BOUND_SCHEDULE_MS * SIM_MS;
    }
    /* The worker waits for so much longer. */
    asleep_us = owner->loop.asleep_us - owner->asked_asleep_us;
    bound_us += asleep_us < BOUND_SCHEDULE_MS * SIM_MS ? asleep_us : BOUND_SCHEDULE_MS * SIM_MS;
    since_us = since_us > sim->disturbed_us ? since_us : sim->disturbed_us;
    since_us = since_us > owner->well_since_us ? since_us : owner->well_since_us;
    if (sim->now_us - since_us > bound_us)
        sim_fail("schedule %d is due, and worker %d has not decided about it for %" PRId64 " ms", schedule->number, owner->number,
            (sim->now_us - since_us) / SIM_MS);
}

void
schedules_check(void)
{
    for (int i = 0; i < sim->schedule_count; i++) {
        const struct sim_schedule *schedule = &sim->schedules[i];

        if (!schedule->is_committed || schedule->fire_us > sim->now_us || schedule->locked_by != NULL)
            continue;
        for (int j = 0; j < sim->worker_count; j++)
            check_late(schedule, sim->workers[j]);
    }
}

void
schedules_check_end(void)
{
    for (int i = 0; i < sim->schedule_count; i++) {
        for (int slot = 0; slot < sim->schedules[i].slot_count; slot++) {
            if (sim->schedules[i].account[slot] == SLOT_UNDECIDED)
                sim_fail("schedule %d: slot %d is not on record", i, slot);
        }
    }
}
