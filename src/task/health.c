/*
 * The health of a worker, for those who watch it.  A probe a second shows that the database answers: a network that drops
 * packets closes no connection.  A question of its own shows whether tasks are due: a worker whose claims find nothing by
 * mistake would otherwise look idle.  Both are sent only if somebody reads the answers.
 */
#include "task/worker_private.h"

static void
on_pong(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;
    struct health *health = &worker->health;
    int64_t now_ms = loop_now_ms(worker->loop);

    (void)result;
    db_probe_end(&health->probe, err != NULL);
    if (err == NULL)
        metrics_observe(worker->metrics, METRIC_PROBE, NULL, (double)(now_ms - health->probe.sent_ms) / 1000, 1, 0);
}

static void
on_overdue(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    worker->health.is_asking = false;
    if (err != NULL)
        return;
    if (db_result_text(result, 0, 0) == NULL)
        worker->health.due_since_ms = 0;
    else
        worker->health.due_since_ms = loop_now_ms(worker->loop) - (int64_t)(db_result_number(result, 0, 0) * 1000);
}

/* The queues that the worker serves, as an array literal in `literal`; false: all queues. */
static bool
add_queues(const struct worker *worker, struct buf *literal)
{
    const struct worker_options *options = worker->options;

    for (int i = 0; i < options->queue_count; i++)
        buf_printf(literal, "%s\"%s\"", i == 0 ? "{" : ",", options->queues[i].name);
    buf_puts(literal, "}");
    return options->queue_count > 0 && !options->has_other_queues;
}

/* Asks for the oldest task that the worker could claim.  While a host is at its limit, calls may wait for it. */
static void
ask_overdue(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_OVERDUE, .params = {NULL, worker->types}};
    struct buf queues;

    buf_init(&queues, BOUND_QUEUES * 68);
    if (add_queues(worker, &queues))
        step.params[0] = queues.text;
    for (int i = 0; i < worker->group_count && hosts_are_full(&worker->hosts, loop_now_ms(worker->loop)); i++) {
        if (!worker->groups[i].is_calls)
            step.params[1] = worker->groups[i].types == NULL ? "{}" : worker->groups[i].types;
    }
    worker->health.is_asking = true;
    worker->health.asked_ms = loop_now_ms(worker->loop);
    db_conn_send(worker->control, &step, on_overdue, worker);
    buf_release(&queues);
}

static void
on_timer(void *cookie)
{
    struct worker *worker = cookie;
    struct health *health = &worker->health;
    struct db_step ping = {.statement = STATEMENT_PING};
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t rest_ms = worker->options->stall_ms / 4 < BOUND_OVERDUE_MS ? worker->options->stall_ms / 4 : BOUND_OVERDUE_MS;

    timer_start(health->timer, BOUND_HEALTH_MS);
    if (worker->is_started && db_conn_is_up(worker->control) && db_probe_begin(&health->probe, now_ms))
        db_conn_send(worker->control, &ping, on_pong, worker);
    if (!health->is_asking && worker->is_started && db_conn_is_up(worker->control) && worker->types != NULL
        && now_ms - health->asked_ms >= rest_ms)
        ask_overdue(worker);
}

void
health_start(struct worker *worker)
{
    worker->health.started_ms = loop_now_ms(worker->loop);
    if (worker->metrics == NULL)
        return;
    worker->health.timer = timer_new(worker->loop, on_timer, worker);
    timer_start(worker->health.timer, 0);
}

void
health_stop(struct worker *worker)
{
    timer_close(worker->health.timer);
}

/* Says what keeps a stalled worker from starting tasks. */
static void
explain_stall(const struct worker *worker, int64_t now_ms, char *text, size_t size)
{
    int64_t oldest_ms = now_ms;
    int busy = 0;

    for (int i = 0; i < worker->options->concurrency; i++) {
        if (!list_is_empty(&worker->slots[i].tasks)) {
            busy++;
            oldest_ms = worker->slots[i].sent_ms < oldest_ms ? worker->slots[i].sent_ms : oldest_ms;
        }
    }
    if (!worker->is_started || !db_conn_is_up(worker->control))
        (void)snprintf(text, size, "there is no control connection");
    else if (slots_up(worker) == 0)
        (void)snprintf(text, size, "no work connection is up");
    else if (busy > 0)
        (void)snprintf(text, size, "%d of %d work connections are busy, the first one for %lld s", busy,
            worker->options->concurrency, (long long)(now_ms - oldest_ms) / 1000);
    else if (worker->holdings.count > 0)
        (void)snprintf(text, size, "the worker holds %d tasks and starts none", worker->holdings.count);
    else
        (void)snprintf(text, size, "claims bring no task");
}

void
worker_health(const struct worker *worker, struct worker_health *ret_health)
{
    const struct health *health = &worker->health;
    int64_t now_ms = loop_now_ms(worker->loop);
    char why[160];

    *ret_health = (struct worker_health){.ready_reason = "ok", .stall_reason = "ok"};
    if (!db_conn_is_up(worker->control))
        (void)snprintf(why, sizeof(why), "not connected to the database");
    else if (!worker->is_started)
        (void)snprintf(why, sizeof(why), "the database has not accepted this worker yet");
    else if (!db_probe_is_fresh(&health->probe, now_ms))
        (void)snprintf(why, sizeof(why), "the database has not answered a probe for %lld ms",
            (long long)(now_ms - (health->probe.answered_ms == 0 ? health->started_ms : health->probe.answered_ms)));
    else if (slots_up(worker) == 0)
        (void)snprintf(why, sizeof(why), "no work connection is up");
    else
        ret_health->is_ready = true;
    if (!ret_health->is_ready)
        (void)snprintf(ret_health->ready_reason, sizeof(ret_health->ready_reason), "%s", why);
    if (health->due_since_ms == 0 || worker->is_stopping || (worker->options->is_single && !worker->has_instance))
        return;
    ret_health->overdue_ms = now_ms - health->due_since_ms;
    ret_health->stalled_ms = now_ms - health->started_ms < ret_health->overdue_ms ? now_ms - health->started_ms
                                                                                  : ret_health->overdue_ms;
    ret_health->is_stalled = ret_health->stalled_ms > worker->options->stall_ms;
    if (!ret_health->is_stalled)
        return;
    explain_stall(worker, now_ms, why, sizeof(why));
    (void)snprintf(ret_health->stall_reason, sizeof(ret_health->stall_reason),
        "a task has been due for %lld s and none was started for %lld s: %s", (long long)ret_health->overdue_ms / 1000,
        (long long)(now_ms - health->started_ms) / 1000, why);
}

static void
measure_holdings(const struct worker *worker)
{
    static const char *const names[TASK_STATES] = {[TASK_WAITING] = "waiting",
        [TASK_RUNNING] = "running",
        [TASK_ANNOUNCING] = "running",
        [TASK_ANNOUNCED] = "calling",
        [TASK_CALLING] = "calling",
        [TASK_ANSWERED] = "reporting",
        [TASK_REPORTING] = "reporting",
        [TASK_DEFERRED] = "waiting",
        [TASK_POSTPONED] = "reporting",
        [TASK_DONE] = NULL};
    static const char *const shown[] = {"waiting", "running", "calling", "reporting"};

    for (size_t i = 0; i < LENGTH(shown); i++) {
        int count = 0;

        for (int state = 0; state < TASK_STATES; state++) {
            for (int kind = 0; kind < TASK_KINDS && names[state] == shown[i]; kind++)
                count += worker->holdings.counts[kind][state];
        }
        metrics_set(worker->metrics, METRIC_HELD_TASKS, METRIC_WITH(shown[i]), count);
    }
}

/* Sets a counter that somebody else counts. */
static void
raise_to(struct metrics *metrics, enum metric metric, const char *label, int64_t total)
{
    metrics_add(metrics, metric, METRIC_WITH(label), (double)total - metrics_value(metrics, metric, METRIC_WITH(label)));
}

static void
measure_carrier(const struct worker *worker)
{
    const struct carrier *carrier = worker->options->carrier;
    struct carrier_figures figures;

    if (carrier == NULL || carrier->figures == NULL)
        return;
    carrier->figures(carrier->self, &figures);
    metrics_set(worker->metrics, METRIC_CHILDREN, METRIC_WITH("starting"), figures.starting);
    metrics_set(worker->metrics, METRIC_CHILDREN, METRIC_WITH("ready"), figures.ready);
    metrics_set(worker->metrics, METRIC_CHILDREN, METRIC_WITH("leaving"), figures.leaving);
    raise_to(worker->metrics, METRIC_CHILDREN_ENDED, "expected", figures.ended);
    raise_to(worker->metrics, METRIC_CHILDREN_ENDED, "unexpected", figures.failed);
}

void
worker_measure(const struct worker *worker)
{
    int up = slots_up(worker);
    int free_slots = 0;
    struct worker_health health;

    worker_health(worker, &health);
    for (int i = 0; i < worker->options->concurrency; i++)
        free_slots += db_conn_is_up(worker->slots[i].conn) && slot_is_free(&worker->slots[i]);
    metrics_set(worker->metrics, METRIC_UP, NULL, health.is_ready);
    metrics_set(worker->metrics, METRIC_OVERDUE, NULL, (double)health.overdue_ms / 1000);
    metrics_set(worker->metrics, METRIC_STALLED, NULL, (double)health.stalled_ms / 1000);
    metrics_set(worker->metrics, METRIC_WORK_CONNECTIONS, METRIC_WITH("free"), free_slots);
    metrics_set(worker->metrics, METRIC_WORK_CONNECTIONS, METRIC_WITH("busy"), up - free_slots);
    metrics_set(worker->metrics, METRIC_WORK_CONNECTIONS, METRIC_WITH("down"), worker->options->concurrency - up);
    measure_holdings(worker);
    measure_carrier(worker);
}
