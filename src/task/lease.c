/*
 * Keeping leases, and giving them back.  After each third of a lease, one statement renews all leases of this worker.  Rows
 * whose transaction is under way answer "busy": their lock protects them, and their lease is not extended.  A lease that is
 * lost before its task started is forgotten.  A command that was cancelled while it runs is interrupted.  After a connection
 * was lost, a renewal comes before the next claim: a lease that the database does not know is forgotten with its outcome.
 */
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

static bool
is_limited(const struct worker *worker, const char *name)
{
    const struct known_queue *queue = settings_queue(worker, name);

    return queue != NULL && queue->is_limited;
}

int
lease_calls_over(struct worker *worker)
{
    return rate_window_last(&worker->answers, loop_now_ms(worker->loop));
}

void
lease_call_over(struct worker *worker, const struct task *task)
{
    rate_window_add(&worker->answers, loop_now_ms(worker->loop), 1);
    if (look_is_asleep(worker))
        look_at_group(worker, task->group);
}

/* The worker does not hold the lease any more, for any reason. */
void
lease_end(struct worker *worker, struct task *task, enum task_event event)
{
    struct queue_group *group = &worker->groups[task->group];
    bool was_suspected = worker->holdings.suspects > 0;
    bool was_in_call = task_is_in_call(task);

    count_lease(task, event);
    traces_ended(task, event);
    room_leave_host(task, "");
    task_move(task, event);
    if (was_in_call)
        lease_call_over(worker, task);
    if ((look_is_asleep(worker) || claim_is_in_flight(worker))
        && (is_limited(worker, task->queue) || group->queue_limit->concurrency > 0 || task->has_parent))
        look_at_group(worker, task->group); /* The queue has room again, or a sibling may begin. */
    if (worker->options->is_until_empty)
        agenda_forget_empty(&worker->agenda); /* The run may have enqueued tasks. */
    if (was_suspected && worker->holdings.suspects == 0)
        look_at_all(worker); /* The worker may hold other tasks again. */
    task_free(task);
}

/* Another session holds a row that the task needs: run the task again in a second. */
void
lease_defer(struct worker *worker, struct task *task)
{
    task_move(task, EVENT_BUSY);
    if (!timer_is_armed(worker->deferred_timer))
        timer_start(worker->deferred_timer, BOUND_BUSY_RETRY_MS);
}

/* Writes two array literals with the ids and the lease numbers of all held tasks. */
static void
add_leases(const struct worker *worker, struct buf *ids, struct buf *lease_nos)
{
    int count = 0;

    buf_puts(ids, "{");
    buf_puts(lease_nos, "{");
    for (struct list *node = worker->holdings.all.next; node != &worker->holdings.all; node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, held);

        buf_printf(ids, "%s%" PRId64, count == 0 ? "" : ",", task->id);
        buf_printf(lease_nos, "%s%" PRId32, count == 0 ? "" : ",", task->lease_no);
        count++;
    }
    buf_puts(ids, "}");
    buf_puts(lease_nos, "}");
}

/* A task that was lost and claimed again may be held twice, under two leases. */
static struct task *
find_held(const struct worker *worker, int64_t id, int64_t lease_no)
{
    for (struct list *node = worker->holdings.all.next; node != &worker->holdings.all; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, held);

        if (task->id == id && task->lease_no == lease_no)
            return task;
    }
    return NULL;
}

/* A task under way meets the fence.  So does a task with an outcome, and its outcome is kept as evidence. */
static void
end_lost(struct worker *worker, struct task *task)
{
    if (task->state == TASK_WAITING || task->state == TASK_DEFERRED) {
        task_log(task, LOG_WARN, "lease lost", NULL, NULL);
        lease_end(worker, task, EVENT_LOST);
    } else if (task->state == TASK_CALLING && task->cancel != NULL) {
        task->cancel(task, true);
    }
}

/* A failover has lost the lease, perhaps with its task.  Another task may get the same id, so the worker forgets the task.
 * If a transaction is under way, the loss of its connection makes the worker ask again. */
static void
end_unknown(struct worker *worker, struct task *task)
{
    if (task->state == TASK_RUNNING || task->state == TASK_ANNOUNCING || task->state == TASK_REPORTING)
        return;
    task_log(task, LOG_WARN, "the database does not know this lease, so it was lost in a failover", NULL, NULL);
    lease_end(worker, task, EVENT_LOST);
}

static void
on_renewed(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    worker->is_renewing = false;
    if (err != NULL) {
        if (err->kind != ERR_RETRY)
            log_event(LOG_ERROR, "renewal failed", "sqlstate", err->code, "error", err->message, NULL);
        return;
    }
    FAILPOINT("renew.committed");
    if (worker->confirm_state == LEASES_ASKED)
        worker->confirm_state = LEASES_CONFIRMED;
    for (int i = 0; i < db_result_rows(result); i++) {
        struct task *task = find_held(worker, db_result_i64(result, i, 0, 0), db_result_i64(result, i, 2, 0));
        const char *state = db_result_text(result, i, 1);

        if (task == NULL)
            continue;
        if (strcmp(state, "lost") == 0) {
            end_lost(worker, task);
        } else if (strcmp(state, "unknown") == 0) {
            end_unknown(worker, task);
        } else if (strcmp(state, "renewed") == 0) {
            task->deadline_ms = worker->renew_boot_ms + worker->options->lease_ms;
        } else if (strcmp(state, "stop") == 0 && task->state == TASK_RUNNING) {
            slots_interrupt(worker, task);
        } else if (strcmp(state, "stop") == 0 && task->state == TASK_CALLING) {
            task->deadline_ms = worker->renew_boot_ms + worker->options->lease_ms;
            if (task->cancel != NULL)
                task->cancel(task, false);
        }
    }
    if (worker->must_renew)
        lease_renew(worker);
}

/* Without a work connection for more than a moment, the worker gives tasks back, so that others can run them. */
static void
release_if_cut_off(struct worker *worker)
{
    bool was_cut_off = worker->is_cut_off;

    worker->is_cut_off = slots_up(worker) == 0;
    if (was_cut_off && worker->is_cut_off && worker->is_started && db_conn_is_up(worker->control))
        lease_release_waiting(worker);
}

void
lease_renew(struct worker *worker)
{
    struct buf ids;
    struct buf lease_nos;
    char lease[24];
    struct db_step step = {.statement = STATEMENT_RENEW};

    worker->must_renew = worker->is_renewing; /* One renewal at a time: the new leases begin when it was sent. */
    if (worker->is_renewing || worker->holdings.count == 0 || !worker->is_started || !db_conn_is_up(worker->control))
        return;
    worker->is_renewing = true;
    if (worker->confirm_state == LEASES_UNCONFIRMED)
        worker->confirm_state = LEASES_ASKED;
    buf_init(&ids, (size_t)worker->holdings.count * 24 + 8);
    buf_init(&lease_nos, (size_t)worker->holdings.count * 16 + 8);
    add_leases(worker, &ids, &lease_nos);
    (void)snprintf(lease, sizeof(lease), "%" PRId64, worker->options->lease_ms);
    step.params[0] = worker->id;
    step.params[1] = ids.text;
    step.params[2] = lease_nos.text;
    step.params[3] = lease;
    worker->renew_boot_ms = loop_boot_ms();
    db_conn_send(worker->control, &step, on_renewed, worker);
    FAILPOINT("renew.sent");
    buf_release(&ids);
    buf_release(&lease_nos);
}

void
lease_doubt(struct worker *worker)
{
    worker->confirm_state = LEASES_UNCONFIRMED;
}

bool
lease_all_confirmed(struct worker *worker)
{
    if (worker->holdings.count == 0)
        worker->confirm_state = LEASES_CONFIRMED;
    if (worker->confirm_state == LEASES_UNCONFIRMED)
        lease_renew(worker);
    return worker->confirm_state == LEASES_CONFIRMED;
}

static void
on_lease_timer(void *cookie)
{
    struct worker *worker = cookie;

    timer_start(worker->lease_timer, worker->options->lease_ms / 3);
    release_if_cut_off(worker);
    lease_renew(worker);
}

static void
ask_again(const struct list *list)
{
    while (!list_is_empty(list)) {
        struct task *task = slot_first(list);

        task->runs_alone = true;
        task_move(task, EVENT_RETRY_DUE);
    }
}

static void
on_deferred_timer(void *cookie)
{
    struct worker *worker = cookie;

    ask_again(&worker->holdings.in[TASK_DEFERRED]);
    ask_again(&worker->holdings.in[TASK_POSTPONED]);
}

void
lease_start(struct worker *worker)
{
    worker->lease_timer = timer_new(worker->loop, on_lease_timer, worker);
    worker->deferred_timer = timer_new(worker->loop, on_deferred_timer, worker);
    timer_start(worker->lease_timer, worker->options->lease_ms / 3);
}

static void
on_released(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    (void)result;
    worker->pending_stop--;
    look_at_all(worker); /* This worker may claim the released tasks again. */
    if (err != NULL)
        log_event(LOG_WARN, "could not give leases back, they will run out", "error", err->message, NULL);
}

static void
send_release(struct worker *worker, const char *ids, const char *lease_nos, int64_t delay_ms)
{
    char delay[24];
    struct db_step step = {.statement = STATEMENT_RELEASE, .params = {worker->id, ids, lease_nos, delay}};

    if (!db_conn_is_up(worker->control))
        return;
    (void)snprintf(delay, sizeof(delay), "%" PRId64, delay_ms);
    worker->pending_stop++;
    db_conn_send(worker->control, &step, on_released, worker);
    FAILPOINT("release.sent");
}

void
lease_release(struct worker *worker, struct task *task, int64_t delay_ms)
{
    char ids[32];
    char lease_nos[24];

    (void)snprintf(ids, sizeof(ids), "{%" PRId64 "}", task->id);
    (void)snprintf(lease_nos, sizeof(lease_nos), "{%" PRId32 "}", task->lease_no);
    send_release(worker, ids, lease_nos, delay_ms);
    lease_end(worker, task, EVENT_RELEASED);
}

/* Releases the last `count` tasks of a list. */
static void
release_last(struct worker *worker, struct list *list, int count)
{
    struct buf ids;
    struct buf lease_nos;

    buf_init(&ids, (size_t)count * 24 + 8);
    buf_init(&lease_nos, (size_t)count * 16 + 8);
    for (int i = 0; i < count && !list_is_empty(list); i++) {
        struct task *task = LIST_OWNER(list->prev, struct task, node);

        buf_printf(&ids, "%s%" PRId64, i == 0 ? "{" : ",", task->id);
        buf_printf(&lease_nos, "%s%" PRId32, i == 0 ? "{" : ",", task->lease_no);
        lease_end(worker, task, EVENT_RELEASED);
    }
    if (ids.length > 0) {
        buf_puts(&ids, "}");
        buf_puts(&lease_nos, "}");
        send_release(worker, ids.text, lease_nos.text, 0);
    }
    buf_release(&ids);
    buf_release(&lease_nos);
}

void
lease_release_last(struct worker *worker, int count)
{
    release_last(worker, &worker->holdings.waiting[TASK_RUNS], count);
}

void
lease_release_waiting(struct worker *worker)
{
    release_last(worker, &worker->holdings.in[TASK_DEFERRED], worker->holdings.count);
    release_last(worker, &worker->holdings.waiting[TASK_RUNS], worker->holdings.count);
    release_last(worker, &worker->holdings.waiting[TASK_CALLS], worker->holdings.count);
}

/* Releases tasks that other workers can run sooner, when tasks are slower than they seemed at the claim.  The worker keeps
 * twice its capacity, or the tasks that it does in a second if these are more. */
void
lease_release_surplus(struct worker *worker)
{
    int most = 2 * room_capacity(worker) + BOUND_BATCH;
    int soon = pace_per_second(&worker->pace, loop_now_ms(worker->loop));
    int surplus = holdings_runs(&worker->holdings) - (soon > most ? soon : most);

    if (surplus > 0 && db_conn_is_up(worker->control))
        release_last(worker, &worker->holdings.waiting[TASK_RUNS], surplus);
}
