/*
 * The tables, and what the functions of sql/schema/queues and internal do to them, as far as a worker can tell.  Left out:
 * merges, secrets, processes, parents and children.  A claim takes back leases at once, not with its commit.
 */
#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sim.h"

enum { MAX_CRASHES = 5, TRANSIENT_RETRIES = 10, HANDLER_RETRIES = 5, JOB_RETRIES = 3 };

struct kind_row {
    const char *type;
    const char *adapter;
    bool is_call;
    bool fails_in_doubt; /* what was announced and has no result is not sent again */
};

static const struct kind_row kinds[KINDS] = {
    [KIND_NOOP] = {"noop", "noop", false, false},
    [KIND_FUNCTION] = {"db_function", "function", false, false},
    [KIND_COMMAND] = {"command", "command", false, false},
    [KIND_PREPARED] = {"command", "command", false, false},
    [KIND_HTTP] = {"http", "http", true, false},
    [KIND_JOB] = {"job_http", "http", true, false},
    [KIND_SMS] = {"sms", "sms", true, true},
    [KIND_EMAIL] = {"email", "email", true, false},
    [KIND_PROGRAM] = {"resize", "program", true, false},
    [KIND_CAREFUL] = {"charge", "program", true, true},
};

const char *
model_type(enum sim_kind kind)
{
    return kinds[kind].type;
}

const char *
model_adapter(enum sim_kind kind)
{
    return kinds[kind].adapter;
}

bool
model_is_prepared(enum sim_kind kind)
{
    return kind == KIND_COMMAND || kind == KIND_PREPARED;
}

bool
model_is_program(enum sim_kind kind)
{
    return kind == KIND_PROGRAM || kind == KIND_CAREFUL;
}

bool
model_fails_in_doubt(enum sim_kind kind)
{
    return kinds[kind].fails_in_doubt;
}

bool
model_is_call(enum sim_kind kind)
{
    return kinds[kind].is_call;
}

struct sim_task *
model_task(int64_t id)
{
    return id >= 1 && id <= sim->task_count ? sim->tasks[id - 1] : NULL;
}

/* Written, and not committed yet. */
struct sim_task *
model_add(enum sim_kind kind, int queue)
{
    struct sim_task *task = must_alloc(sizeof(*task));

    assert(sim->task_count < SIM_TASKS);
    sim->tasks[sim->task_count++] = task;
    task->id = sim->task_count;
    task->kind = kind;
    task->queue = queue;
    task->place = PLACE_OPEN;
    task->enqueued_us = sim->now_us;
    task->transaction = -1;
    return task;
}

void
model_destination(const struct sim_task *task, char *text, size_t size)
{
    if (!kinds[task->kind].is_call || (task->is_hidden && !task->knows_host))
        text[0] = '\0';
    else if (strcmp(kinds[task->kind].adapter, "http") != 0)
        (void)snprintf(text, size, "/%s", kinds[task->kind].adapter);
    else
        (void)snprintf(text, size, "h%d.example", task->host);
}

/* --- locks and leases ----------------------------------------------------------------------- */

bool
model_lock(struct sim_task *task, struct session *session)
{
    if (task->locked_by != NULL && task->locked_by != session)
        return false;
    task->locked_by = session;
    session->has_locks = true;
    return true;
}

void
model_unlock(struct session *session, bool is_rollback)
{
    if (!session->has_locks)
        return;
    session->has_locks = false;
    for (int i = 0; i < sim->task_count; i++) {
        if (sim->tasks[i]->locked_by != session)
            continue;
        sim->tasks[i]->locked_by = NULL;
        if (is_rollback)
            sim->tasks[i]->rolled_back_us = sim->now_us;
    }
    for (int i = 0; i < sim->queue_count; i++) {
        if (sim->queues[i].locked_by == session)
            sim->queues[i].locked_by = NULL;
    }
    schedules_unlock(session);
}

bool
model_holds(const struct sim_task *task, int worker, int64_t lease_no)
{
    return task != NULL && task->place == PLACE_RUNNING && task->lease_no == lease_no && task->leases[lease_no].worker == worker;
}

static struct sim_lease *
lease_of(struct sim_task *task)
{
    return &task->leases[task->lease_no];
}

void
model_lease(struct sim_task *task, int worker, int64_t lease_us)
{
    assert(task->place == PLACE_READY);
    task->place = PLACE_RUNNING;
    task->lease_no++;
    if (task->lease_no >= task->lease_room) {
        task->lease_room = task->lease_room == 0 ? 4 : task->lease_room * 2;
        task->leases = must_realloc(task->leases, (size_t)task->lease_room * sizeof(task->leases[0]));
    }
    sim->worked_us = sim->now_us;
    sim->workers[worker]->window_leases++;
    *lease_of(task) = (struct sim_lease){.worker = worker, .leased_us = sim->now_us, .length_us = lease_us};
    task->expires_us = sim->now_us + lease_us;
    task->is_limited = sim->queues[task->queue].max_running > 0;
}

void
model_complete(struct sim_task *task, const char *outcome)
{
    assert(task->place != PLACE_COMPLETED);
    if (task->place == PLACE_RUNNING)
        lease_of(task)->how = LEASE_COMPLETED;
    task->place = PLACE_COMPLETED;
    task->outcome = outcome;
    sim_mix((uint64_t)task->id * 16 + (uint64_t)outcome[0]);
    task->completed_by = task->lease_no;
    sim->worked_us = sim->now_us;
    sim_say("task %" PRId64 " completed: %s", task->id, outcome);
}

void
model_ready(struct sim_task *task, int64_t at_us, enum lease_end how)
{
    assert(task->place == PLACE_RUNNING);
    lease_of(task)->how = how;
    task->place = PLACE_READY;
    task->available_us = at_us;
    sim->worked_us = sim->now_us;
    sim_say("task %" PRId64 " is ready again, lease %d ended: %d", task->id, task->lease_no, (int)how);
    if (at_us <= sim->now_us + SIM_SECOND && server_is_gate_wanted())
        server_notify("worker_tasks", sim->queues[task->queue].name);
}

void
model_end_dead(struct sim_task *task)
{
    int crashes = task->crash_count + 1;
    bool in_doubt = task->phase != 'h' && lease_of(task)->was_dispatched;
    int64_t at_us = sim->now_us;

    if (crashes >= 2) {
        int64_t wait_us = 5 * SIM_SECOND << (crashes - 2 < 10 ? crashes - 2 : 10);

        at_us += wait_us < 300 * SIM_SECOND ? wait_us : 300 * SIM_SECOND;
    }
    if (task->is_cancelled) {
        model_complete(task, "cancelled");
        lease_of(task)->how = LEASE_EXPIRED;
    } else if (crashes >= MAX_CRASHES) {
        model_complete(task, "quarantined");
        lease_of(task)->how = LEASE_EXPIRED;
    } else if (in_doubt && kinds[task->kind].fails_in_doubt) {
        lease_of(task)->outcome = "in_doubt";
        task->phase = 'h';
        task->crash_count = crashes;
        model_ready(task, sim->now_us, LEASE_EXPIRED);
    } else {
        task->crash_count = crashes;
        model_ready(task, at_us, LEASE_EXPIRED);
    }
}

static void
take_back(void)
{
    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];

        if (task->place != PLACE_RUNNING || task->expires_us >= sim->now_us || task->locked_by != NULL)
            continue;
        sim_say("task %" PRId64 " is taken back from worker %d", task->id, lease_of(task)->worker);
        check_expired(task);
        model_end_dead(task);
    }
}

void
model_cancel(struct sim_task *task)
{
    if (task->place == PLACE_READY && task->locked_by == NULL) {
        model_complete(task, "cancelled");
    } else if (task->place == PLACE_RUNNING) {
        task->is_cancelled = true;
        server_notify("worker_control", "cancel");
    }
}

void
model_crash(void)
{
    schedules_crash();
    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];

        if (task->place != PLACE_RUNNING || !lease_of(task)->was_drawn || lease_of(task)->leased_us <= sim->committed_us
            || sim->now_us - lease_of(task)->leased_us > 600 * SIM_MS || sim_chance(500))
            continue;
        sim_say("task %" PRId64 ": the direct claim of lease %d is lost", task->id, task->lease_no);
        memset(lease_of(task), 0, sizeof(*lease_of(task)));
        task->lease_no--;
        task->place = PLACE_READY;
    }
}

/* --- claims ----------------------------------------------------------------------------------- */

/* '2026-01-01 00:00:00.000000+00' as time of the simulation. */
static int64_t
read_time(const char *text)
{
    struct tm parts = {0};
    int us = 0;

    if (sscanf(text, "%d-%d-%d %d:%d:%d.%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min,
            &parts.tm_sec, &us)
        != 7)
        sim_fail("a hint is no time: %s", text);
    parts.tm_year -= 1900;
    parts.tm_mon--;
    return ((int64_t)timegm(&parts) - 1767225600) * SIM_SECOND + us;
}

/* Is the task behind the hint of its lane? */
static bool
is_behind(const struct sim_task *task, json_t *hints, int64_t since_us)
{
    char priority[24];
    json_t *hint;

    if (hints == NULL)
        return true;
    (void)snprintf(priority, sizeof(priority), "%" PRId64, task->priority);
    hint = json_object_get(json_object_get(hints, sim->queues[task->queue].name), priority);
    if (json_is_array(hint)) {
        int64_t at_us = read_time(json_string_value(json_array_get(hint, 0)));

        return task->available_us > at_us
               || (task->available_us == at_us && task->id > json_integer_value(json_array_get(hint, 1)));
    }
    if (json_is_string(hint))
        return task->available_us >= read_time(json_string_value(hint)) - SIM_SECOND;
    return task->available_us >= since_us;
}

static int
compare(const void *a, const void *b)
{
    const struct sim_task *one = *(struct sim_task *const *)a;
    const struct sim_task *other = *(struct sim_task *const *)b;

    if (one->priority != other->priority)
        return one->priority < other->priority ? -1 : 1;
    if (one->available_us != other->available_us)
        return one->available_us < other->available_us ? -1 : 1;
    return one->id < other->id ? -1 : 1;
}

struct limit {
    char name[64];
    bool is_null;
    int64_t room;
    int64_t retry_room;
};

struct limits {
    struct limit rows[64];
    int count;
    bool is_set;
};

static void
read_limits(const struct claim_wish *wish, struct limits *limits)
{
    const char *names = wish->destinations;
    const char *rooms = wish->rooms;
    const char *retry_rooms = wish->retry_rooms;

    limits->count = 0;
    limits->is_set = names != NULL;
    for (names = names == NULL ? "}" : names + 1; *names != '\0' && *names != '}' && limits->count < 64; names += *names == ',') {
        struct limit *limit = &limits->rows[limits->count++];
        size_t length = strcspn(names, ",}");

        *limit = (struct limit){.is_null = names[0] == 'N'};
        if (!limit->is_null)
            (void)snprintf(limit->name, sizeof(limit->name), "%.*s", (int)(length - 2), names + 1);
        names += length;
        (void)db_array_next(&rooms, &limit->room);
        (void)db_array_next(&retry_rooms, &limit->retry_room);
    }
}

static const struct limit *
find_limit(const struct limits *limits, const char *destination)
{
    for (int i = 0; i < limits->count; i++) {
        if (limits->rows[i].is_null ? destination[0] == '\0' : strcmp(limits->rows[i].name, destination) == 0)
            return &limits->rows[i];
    }
    return NULL;
}

static bool
is_skipped(const struct sim_task *task, const struct limits *limits)
{
    char destination[64];
    const struct limit *limit;

    if (!limits->is_set || !model_is_call(task->kind))
        return false;
    model_destination(task, destination, sizeof(destination));
    limit = find_limit(limits, destination);
    return limit != NULL && (limit->room < 1 || (task->is_retry && limit->retry_room < 1));
}

/* How many of these rows came before the n-th with the same destination; of retries, if asked. */
static int
nth(struct sim_task **rows, int n, bool only_retries)
{
    char own[64];
    char other[64];
    int count = 1;

    model_destination(rows[n], own, sizeof(own));
    for (int i = 0; i < n; i++) {
        model_destination(rows[i], other, sizeof(other));
        count += strcmp(own, other) == 0 && (!only_retries || rows[i]->is_retry);
    }
    return count;
}

/* May the n-th of these rows stay?  Retries first, then all of a destination, then all together. */
static bool
fits(struct sim_task **rows, int n, int stage, const struct claim_wish *wish, const struct limits *limits, int *shared)
{
    char destination[64];
    const struct limit *limit;

    model_destination(rows[n], destination, sizeof(destination));
    limit = find_limit(limits, destination);
    if (stage == 0)
        return !rows[n]->is_retry || nth(rows, n, true) <= (limit != NULL ? (int)limit->retry_room : wish->other_retry_room);
    if (stage == 1)
        return nth(rows, n, false) <= (limit != NULL ? (int)limit->room : wish->other_room);
    return ((limit == NULL || destination[0] == '\0') && nth(rows, n, false) == 1) || ++*shared <= wish->shared_room;
}

static int
within_destinations(struct sim_task **rows, int count, const struct claim_wish *wish, const struct limits *limits)
{
    struct sim_task *before[BOUND_CLAIM];
    int shared = 0;

    for (int stage = 0; stage < 3; stage++) {
        int kept = 0;

        memcpy(before, rows, (size_t)count * sizeof(rows[0]));
        for (int i = 0; i < count; i++) {
            if (fits(before, i, stage, wish, limits, &shared))
                rows[kept++] = before[i];
        }
        count = kept;
    }
    return count;
}

/* One that has killed two holders goes alone, if it is the first; else it waits for its turn. */
static int
without_suspects(struct sim_task **rows, int count)
{
    int kept = 0;

    if (count > 0 && rows[0]->crash_count > 1)
        return 1;
    for (int i = 0; i < count; i++) {
        if (rows[i]->crash_count <= 1)
            rows[kept++] = rows[i];
    }
    return kept;
}

static int
room_of(const struct claim_wish *wish, int queue)
{
    struct sim_queue *row = &sim->queues[queue];
    int running = 0;

    if (!wish->queues[queue] || row->paused_until_us > sim->now_us)
        return 0;
    if (row->max_running == 0)
        return wish->limit;
    if (row->locked_by != NULL && row->locked_by != wish->session)
        return 0;
    row->locked_by = wish->session;
    wish->session->has_locks = true;
    for (int i = 0; i < sim->task_count; i++)
        running += sim->tasks[i]->place == PLACE_RUNNING && sim->tasks[i]->queue == queue && sim->tasks[i]->is_limited;
    return row->max_running > running ? row->max_running - running : 0;
}

/* The tasks that a claim would get, locked. */
int
model_claim(const struct claim_wish *wish, struct sim_task **rows)
{
    json_t *hints = wish->hints == NULL ? NULL : json_loads(wish->hints, 0, NULL);
    json_t *since = json_object_get(hints, "*");
    int rooms[SIM_QUEUES] = {0};
    struct limits limits;
    int count = 0;
    int kept = 0;

    if (wish->takes_back)
        take_back();
    read_limits(wish, &limits);
    for (int i = 0; i < sim->queue_count; i++)
        rooms[i] = room_of(wish, i);
    for (int i = 0; i < sim->task_count; i++) {
        struct sim_task *task = sim->tasks[i];
        const struct sim_queue *queue = &sim->queues[task->queue];
        int64_t since_us = INT64_MIN;

        if (task->place != PLACE_READY || task->available_us > sim->now_us || !wish->kinds[task->kind] || rooms[task->queue] < 1)
            continue;
        if (since != NULL && queue->max_running == 0)
            since_us = sim->now_us - (int64_t)(json_number_value(since) * 1e6);
        if (queue->paused_until_us != 0 && queue->paused_until_us >= since_us)
            since_us = INT64_MIN;
        if (is_behind(task, hints, since_us) && !is_skipped(task, &limits) && task->locked_by == NULL)
            rows[count++] = task;
    }
    json_decref(hints);
    qsort(rows, (size_t)count, sizeof(rows[0]), compare);
    for (int i = 0; i < count && kept < wish->limit; i++) {
        if (rooms[rows[i]->queue]-- < 1)
            continue;
        (void)model_lock(rows[i], wish->session);
        rows[kept++] = rows[i];
    }
    kept = without_suspects(rows, kept);
    return limits.is_set ? within_destinations(rows, kept, wish, &limits) : kept;
}

int64_t
model_next_due(const bool *wanted)
{
    int64_t first_us = INT64_MAX;

    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *task = sim->tasks[i];
        int64_t pause_us = sim->queues[task->queue].paused_until_us;
        int64_t after_us = sim->now_us - 100 * SIM_MS;
        int64_t at_us = task->available_us;

        if (task->place != PLACE_READY || !wanted[task->kind] || (pause_us <= after_us && at_us <= after_us))
            continue;
        if (pause_us > at_us)
            at_us = pause_us;
        first_us = at_us < first_us ? at_us : first_us;
    }
    return first_us;
}

/* --- results ------------------------------------------------------------------------------------ */

const char *
model_stored(const struct sim_task *task)
{
    const char *stored = NULL;

    for (int i = 1; i <= task->lease_no; i++) {
        const struct sim_lease *lease = &task->leases[i];

        if (lease->late_outcome != NULL && strcmp(lease->late_outcome, "succeeded") == 0)
            return "succeeded";
        if (lease->outcome != NULL && (stored == NULL || strcmp(stored, "succeeded") != 0))
            stored = lease->outcome;
    }
    return stored;
}

const char *
model_why_not(const struct sim_task *task, int worker, int64_t lease_no)
{
    if (task == NULL || lease_no < 1 || lease_no > task->lease_no || task->leases[lease_no].worker != worker)
        return "lost";
    if (task->place == PLACE_COMPLETED && task->completed_by == lease_no)
        return "completed";
    return model_holds(task, worker, lease_no) ? "busy" : "lost";
}

static const char *
known_of(const struct sim_task *task, int64_t lease_no)
{
    const struct sim_lease *lease = &task->leases[lease_no];

    if (lease->how == LEASE_RETRY || lease->how == LEASE_HANDLER_FAILED)
        return lease->outcome != NULL ? lease->outcome : lease->how == LEASE_RETRY ? "retry" : "handler_failed";
    return task->place == PLACE_COMPLETED && task->completed_by == lease_no ? task->outcome : NULL;
}

static const char *
keep_late(struct sim_task *task, int worker, int64_t lease_no, const char *outcome, bool is_2xx)
{
    const char *known;
    bool is_answered = strcmp(outcome, "answered") == 0;
    bool is_transient = strcmp(outcome, "transient") == 0;
    bool is_unsent = strcmp(outcome, "unsent") == 0;
    bool is_stored = strcmp(outcome, "stored") == 0;
    struct sim_lease *lease;

    if (task == NULL || lease_no < 1 || lease_no > task->lease_no)
        return "fenced";
    lease = &task->leases[lease_no];
    known = known_of(task, lease_no);
    if ((is_unsent && lease->how == LEASE_RELEASED)
        || (known != NULL
            && (strcmp(known, outcome) == 0 || is_stored || is_answered || (strcmp(known, "retry") == 0 && is_transient)
                || (strcmp(known, "failed") == 0 && (strcmp(outcome, "in_doubt") == 0 || is_transient)))))
        return "duplicate";
    if (!is_transient && !is_unsent && !is_stored && lease->worker == worker && lease->late_outcome == NULL)
        lease->late_outcome = !is_answered ? outcome : is_2xx ? "succeeded" : "failed";
    return "fenced";
}

/* The run of a job has ended: it may run again later, as another task. */
static const char *
end_run(struct sim_task *task, const char *outcome, bool is_2xx)
{
    bool is_good = strcmp(outcome, "succeeded") == 0 || (strcmp(outcome, "answered") == 0 && is_2xx);

    if (!is_good && task->job_retries < JOB_RETRIES && !task->is_cancelled && !sim->is_script) {
        struct sim_task *next = model_add(task->kind, task->queue);

        next->priority = task->priority;
        next->host = task->host;
        next->work_us = task->work_us;
        next->is_retry = true;
        next->job_retries = task->job_retries + 1;
        next->place = PLACE_READY;
        next->committed_us = sim->now_us;
        next->available_us = sim->now_us + (5 * SIM_SECOND << task->job_retries);
    }
    model_complete(task, is_good ? "succeeded" : "failed");
    return "completed";
}

static const char *
static_outcome(const char *outcome)
{
    static const char *const known[] = {"succeeded", "failed", "answered", "in_doubt", "stored", "transient", "unsent"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i], outcome) == 0)
            return known[i];
    }
    sim_fail("unknown outcome %s", outcome);
    return "failed";
}

/* As queues.finish, or queues.record_result without the handler. */
const char *
model_finish(struct sim_task *task, int worker, int64_t lease_no, const char *given, bool is_2xx, bool runs_handler)
{
    const char *outcome = static_outcome(given);
    bool is_handler_bad = !runs_handler && model_is_call(task == NULL ? KIND_NOOP : task->kind);

    if (task != NULL && lease_no >= 1 && lease_no <= task->lease_no && task->leases[lease_no].worker == worker)
        task->leases[lease_no].is_recorded = true;
    if (!model_holds(task, worker, lease_no))
        return keep_late(task, worker, lease_no, outcome, is_2xx);
    if (strcmp(outcome, "unsent") == 0) {
        if (task->is_cancelled) {
            model_complete(task, "cancelled");
            return "completed";
        }
        model_ready(task, sim->now_us + 100 * SIM_MS + (sim->is_script ? 0 : sim_between(0, 100 * SIM_MS)), LEASE_RELEASED);
        return "retry";
    }
    if (strcmp(outcome, "transient") == 0) {
        if (task->retry_count < TRANSIENT_RETRIES) {
            int64_t wait_us = 100 * SIM_MS << task->retry_count++;

            wait_us += sim->is_script ? 0 : sim_between(0, 50 * SIM_MS);
            model_ready(task, sim->now_us + (wait_us < 30 * SIM_SECOND ? wait_us : 30 * SIM_SECOND), LEASE_RETRY);
            return "retry";
        }
        outcome = "failed";
    }
    if (task->kind == KIND_JOB) {
        if (strcmp(outcome, "stored") == 0) {
            const char *stored = model_stored(task);

            return end_run(task, stored == NULL ? "in_doubt" : stored, false);
        }
        return end_run(task, outcome, is_2xx);
    }
    if (strcmp(outcome, "stored") == 0)
        outcome = model_stored(task) == NULL ? "failed" : model_stored(task);
    else if (strcmp(outcome, "answered") == 0)
        outcome = is_2xx ? "succeeded" : "failed";
    if (runs_handler && task->mood == MOOD_HANDLER_FAILS && task->mood_left > 0) {
        task->mood_left--;
        is_handler_bad = true;
    }
    if (is_handler_bad && task->mood == MOOD_HANDLER_FAILS) {
        int64_t wait_us = 5 * SIM_SECOND << task->handler_failures;

        lease_of(task)->outcome = outcome;
        if (++task->handler_failures >= HANDLER_RETRIES) {
            model_complete(task, "quarantined");
            lease_of(task)->how = LEASE_HANDLER_FAILED;
            return "quarantined";
        }
        task->phase = 'h';
        model_ready(task, sim->now_us + (wait_us < 300 * SIM_SECOND ? wait_us : 300 * SIM_SECOND), LEASE_HANDLER_FAILED);
        return "handler_failed";
    }
    model_complete(task, strcmp(outcome, "in_doubt") == 0 && !kinds[task->kind].fails_in_doubt ? "failed" : outcome);
    return "completed";
}
