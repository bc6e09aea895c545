/*
 * The worker as a whole: connections, start, one pass of the loop, stop.
 *
 *   control up -> start_worker -> settings -> listener, gate and work connections -> ready
 *
 * Stop: the worker claims nothing more and releases waiting tasks at once.  Running tasks may finish within the grace; then
 * they are cancelled and released.  The last call is stop_worker.
 */
#include "task/worker.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>

#include "base/failpoint.h"
#include "base/outside.h"
#include "loop/notify.h"
#include "task/worker_private.h"

static void
make_uuid(char *text, size_t size)
{
    unsigned char b[16];

    outside_random(b, sizeof(b));
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    (void)snprintf(text, size, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3],
        b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

static void
end_with(struct worker *worker, int exit_code)
{
    worker->exit_code = exit_code;
    worker->is_done = true;
    loop_stop(worker->loop);
}

/* --- work connections --------------------------------------------------------------- */

static void
on_work_up(void *cookie)
{
    struct slot *slot = cookie;

    slot->carried = 0;
    slot->is_warm = false;
    slot->is_holder = false;
    slot->was_up = true;
    if (slot->is_missed && --slot->worker->work_lost == 0)
        log_event(LOG_INFO, "all work connections are back", "after_s",
            LOG_DBL((double)(loop_now_ms(slot->worker->loop) - slot->worker->work_lost_ms) / 1000), NULL);
    slot->is_missed = false;
    direct_claim_on_return(slot->worker);
    slot->plan_at = BOUND_PLAN_AT;
    slot->worker->next_use = SLOT_FINISH; /* Known outcomes are recorded first. */
    look_at_all(slot->worker);
}

static void
on_work_down(void *cookie, const struct err *err)
{
    struct slot *slot = cookie;

    if (slot->was_up) {
        direct_claim_on_loss(slot->worker);
        lease_doubt(slot->worker);
    }
    slot->was_up = false;
    metrics_add(slot->worker->metrics, METRIC_CONNECTIONS_LOST, METRIC_WITH("work"), 1);
    if (slot->worker->is_done)
        return;
    /* A failed try to connect again is no news. */
    log_event(slot->is_missed ? LOG_DEBUG : LOG_WARN, "work connection lost, connecting again", "error", err->message, NULL);
    if (!slot->is_missed && slot->worker->work_lost++ == 0)
        slot->worker->work_lost_ms = loop_now_ms(slot->worker->loop);
    slot->is_missed = true;
}

static void
connect_work(struct worker *worker)
{
    for (int i = 0; i < worker->options->concurrency; i++) {
        struct slot *slot = &worker->slots[i];
        struct db_conn_options options = {
            .conninfo = worker->options->conninfo,
            .name = "work",
            .application_name = "reeve work",
            .on_up = on_work_up,
            .on_down = on_work_down,
            .cookie = slot,
        };

        slot->conn = db_conn_new(worker->loop, &options);
    }
}

/* --- control connection -------------------------------------------------------------- */

static void
on_settings(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    if (err != NULL) {
        if (err->kind != ERR_RETRY) {
            log_event(LOG_ERROR, "could not read settings", "error", err->message, NULL);
            db_conn_reset(worker->control); /* The next connection asks again. */
        }
        return;
    }
    settings_take(worker, result);
    if (worker->types == NULL)
        log_event(LOG_WARN, "there is no task type that this worker can run", NULL);
    look_at_all(worker);
    if (worker->was_ready)
        return;
    worker->was_ready = true;
    connect_work(worker);
    gate_connect(worker);
    notify_ready();
    log_event(LOG_INFO, "worker ready", "worker_id", worker->id, "name", worker->options->name, "types",
        worker->types == NULL ? "{}" : worker->types, "concurrency", LOG_I64(worker->options->concurrency), NULL);
}

void
worker_settings_ask(struct worker *worker)
{
    bool has_carrier = worker->options->carrier != NULL;
    struct db_step step = {
        .statement = STATEMENT_SETTINGS, .params = {has_carrier ? worker->carried_types : worker->options->types}};

    if (has_carrier && worker->carried_types == NULL)
        return; /* The types are not known yet. */
    if (worker->is_started && db_conn_is_up(worker->control))
        db_conn_send(worker->control, &step, on_settings, worker);
}

/* The exit code for a refusal of start_worker. */
static int
exit_code_of(const struct err *err)
{
    if (strcmp(err->code, "QU004") == 0 || strcmp(err->code, "42883") == 0 || strcmp(err->code, "3F000") == 0)
        return EXIT_SCHEMA;
    if (strcmp(err->code, "QU005") == 0)
        return EXIT_NOT_ADOPTED;
    return EXIT_REFUSED;
}

/* Is this an error that is not about this worker: locks, resources, a cancelled statement? */
static bool
is_passing(const char *code)
{
    return sqlstate_is_passing(code) || strncmp(code, "53", 2) == 0 || strcmp(code, "57014") == 0;
}

/* Adds a hint: what the operator can do about a refusal. */
static void
set_hint(const struct worker *worker, int exit_code, struct err *err)
{
    if (err->hint[0] != '\0')
        return;
    if (exit_code == EXIT_SCHEMA)
        (void)err_hint(err, "Run: reeve install");
    else if (strcmp(err->code, "42501") == 0 && !db_conn_acts_as_worker(worker->control))
        (void)err_hint(err, "Run: grant worker_service_user to %s;", db_conn_login(worker->control));
}

static void
on_started(void *cookie, const struct db_result *result, const struct err *err)
{
    struct worker *worker = cookie;

    (void)result;
    if (err != NULL && err->kind == ERR_RETRY)
        return;
    if (err != NULL && worker->was_ready && is_passing(err->code)) {
        db_conn_reset(worker->control);
        return;
    }
    if (err != NULL) {
        int code = exit_code_of(err);
        struct err refusal = *err;

        set_hint(worker, code, &refusal);
        log_event(LOG_ERROR, "the database refused this worker", "sqlstate", err->code, "error", err->message, "hint",
            refusal.hint, NULL);
        end_with(worker, code);
        return;
    }
    FAILPOINT("schema.checked");
    worker->is_started = true;
    if (worker->control_lost_ms != 0)
        log_event(LOG_INFO, "connected again", "after_s",
            LOG_DBL((double)(loop_now_ms(worker->loop) - worker->control_lost_ms) / 1000), NULL);
    worker->control_lost_ms = 0;
    instance_on_started(worker);
    worker_settings_ask(worker);
    schedules_look(worker);
    gate_probe(worker);
}

void
worker_introduce(struct worker *worker)
{
    const struct worker_options *options = worker->options;
    char version[16];
    struct db_step step = {.statement = STATEMENT_START,
        .params = {worker->id, options->name, options->version, version, options->is_single ? "t" : "f", options->installation}};

    (void)snprintf(version, sizeof(version), "%d", options->schema_version);
    db_conn_send(worker->control, &step, on_started, worker);
}

static void
leave_other_server(const struct worker *worker, struct db_conn *conn)
{
    if (db_conn_is_up(conn) && !db_conn_is_same_server(conn, worker->control))
        db_conn_leave(conn);
}

/* A server that froze silently still has the other connections.  Reset them; their tasks are asked for again. */
static void
leave_other_servers(struct worker *worker)
{
    leave_other_server(worker, worker->listener);
    leave_other_server(worker, worker->gate);
    for (int i = 0; i < worker->options->concurrency; i++)
        leave_other_server(worker, worker->slots[i].conn);
}

static void
on_control_up(void *cookie)
{
    struct worker *worker = cookie;

    FAILPOINT("db.connected");
    if (!worker->has_warned_role) {
        worker->has_warned_role = true;
        if (!db_conn_acts_as_worker(worker->control))
            log_event(LOG_WARN, "connected as a role that is not and cannot become worker_service_user", "login",
                db_conn_login(worker->control), NULL);
    }
    leave_other_servers(worker);
    if (!instance_on_control(worker))
        worker_introduce(worker);
}

static void
on_control_down(void *cookie, const struct err *err)
{
    struct worker *worker = cookie;

    if (worker->is_done)
        return;
    worker->is_started = false;
    lease_doubt(worker);
    instance_on_control_lost(worker);
    if (!worker->was_ready) {
        log_event(LOG_ERROR, "could not connect to the database", "error", err->message, NULL);
        end_with(worker, 5);
        return;
    }
    log_event(worker->control_lost_ms == 0 ? LOG_WARN : LOG_DEBUG, "control connection lost, connecting again", "error",
        err->message, NULL);
    metrics_add(worker->metrics, METRIC_CONNECTIONS_LOST, METRIC_WITH("control"), 1);
    if (worker->control_lost_ms == 0)
        worker->control_lost_ms = loop_now_ms(worker->loop);
    look_at_all(worker);
}

/* Only the database sees that a task killed its workers, in the claim that takes the last lease back. */
static void
on_control_warning(void *cookie, const struct db_warning *warning)
{
    if (strcmp(warning->err.code, "QU001") == 0)
        finish_say_dead(cookie, warning->detail, warning->err.message);
}

/* --- stop ---------------------------------------------------------------------------- */

static void
on_stopped(void *cookie, const struct db_result *result, const struct err *err)
{
    (void)result;
    (void)err; /* The leases are released or will run out. */
    end_with(cookie, ((struct worker *)cookie)->stop_code);
}

/* Ends the worker when all tasks have ended or are released. */
static void
stop_if_drained(struct worker *worker)
{
    struct db_step step = {.statement = STATEMENT_STOP, .params = {worker->id, "stopped"}};

    if (!slots_are_free(worker) || holdings_announced(&worker->holdings) > 0 || holdings_outcomes(&worker->holdings) > 0
        || worker->pending_stop > 0 || claim_is_in_flight(worker) || worker->is_done || !traces_are_out(worker))
        return;
    FAILPOINT("term.drained");
    worker->is_done = true;
    timer_stop(worker->stop_timer);
    if (db_conn_is_up(worker->control) && worker->is_started) {
        timer_start(worker->stop_timer, BOUND_BUSY_RETRY_MS);
        db_conn_send(worker->control, &step, on_stopped, worker);
    } else {
        end_with(worker, worker->stop_code);
    }
}

static void
on_stop_timer(void *cookie)
{
    struct worker *worker = cookie;

    if (worker->is_done || worker->is_hurried) {
        /* The database does not answer.  The leases run out. */
        end_with(worker, worker->stop_code);
        return;
    }
    log_event(LOG_WARN, "grace is over, cancelling running tasks", NULL);
    worker->is_hurried = true;
    slots_cancel(worker);
    channels_end_calls(worker);
    timer_start(worker->stop_timer, BOUND_RECONNECT_MAX_MS);
}

static void
begin_stop(struct worker *worker)
{
    worker->is_stopping = true;
    notify_stopping();
    gate_on_stop(worker);
    lease_release_waiting(worker);
    timer_start(worker->stop_timer, worker->options->grace_ms);
}

/* Starts an ordered stop without a signal. */
void
worker_stop(struct worker *worker, int exit_code)
{
    worker->stop_code = exit_code;
    if (!worker->is_stopping)
        begin_stop(worker);
}

void
worker_on_stop_signal(void *cookie, int number)
{
    struct worker *worker = cookie;

    FAILPOINT("term.received");
    if (!worker->is_stopping) {
        log_event(
            LOG_INFO, "stopping", "signal", number == SIGINT ? "INT" : "TERM", "held", LOG_I64(worker->holdings.count), NULL);
        begin_stop(worker);
        return;
    }
    log_event(LOG_WARN, "stopping now", NULL);
    worker->is_hurried = true;
    slots_cancel(worker);
    channels_end_calls(worker);
    timer_start(worker->stop_timer, BOUND_BUSY_RETRY_MS);
}

void
worker_on_usr1(void *cookie, int number)
{
    static const char *const states[] = {[TASK_WAITING] = "waiting",
        [TASK_RUNNING] = "running",
        [TASK_ANNOUNCING] = "announcing",
        [TASK_ANNOUNCED] = "announced",
        [TASK_CALLING] = "calling",
        [TASK_ANSWERED] = "answered",
        [TASK_REPORTING] = "reporting",
        [TASK_DEFERRED] = "deferred",
        [TASK_POSTPONED] = "postponed",
        [TASK_DONE] = "done"};
    struct worker *worker = cookie;

    (void)number;
    for (struct list *node = worker->holdings.all.next; node != &worker->holdings.all; node = node->next) {
        const struct task *task = LIST_OWNER(node, struct task, held);

        task_log(task, LOG_INFO, "task held", "state", states[task->state]);
    }
    log_event(LOG_INFO, "worker state", "held", LOG_I64(worker->holdings.count), "done", LOG_I64(worker->tasks_done), "batch",
        LOG_I64(worker->batches[SLOT_EXECUTE]), "calls", LOG_I64(holdings_calls(&worker->holdings)), "idle",
        look_is_asleep(worker) ? "yes" : "no", NULL);
}

void
worker_forget_calls(struct worker *worker)
{
    while (!list_is_empty(&worker->holdings.in[TASK_CALLING]))
        lease_end(worker, slot_first(&worker->holdings.in[TASK_CALLING]), EVENT_LOST);
}

void
worker_on_hup(void *cookie, int number)
{
    struct worker *worker = cookie;
    struct channel_set *channels = NULL;

    (void)number;
    if (worker->options->reload_channels != NULL)
        channels = worker->options->reload_channels(worker->options->reload_cookie);
    if (channels != NULL) {
        channel_set_free(worker->channels); /* Calls under way keep their settings. */
        worker->channels = channels;
    }
    if (worker->options->carrier != NULL && worker->options->carrier->replace != NULL && !worker->is_stopping)
        worker->options->carrier->replace(worker->options->carrier->self);
    worker_settings_ask(worker);
    log_event(
        LOG_INFO, "credentials in files and settings of the database read again; flags and environment need a restart", NULL);
}

/* --- the loop ------------------------------------------------------------------------ */

static void
on_pace_timer(void *cookie)
{
    (void)cookie; /* The pass that follows fills the slots. */
}

/* Does the worker hold no task, and is no task due that it can run?  For this, a claim from the front has found each group
 * empty.  Where such a claim is missing, it is made now. */
static bool
is_out_of_work(struct worker *worker)
{
    int64_t now_ms = loop_now_ms(worker->loop);

    if (worker->holdings.count > 0 || worker->pending_stop > 0 || worker->is_stopping || claim_is_in_flight(worker))
        return false;
    if (worker->was_ready && worker->types == NULL)
        return true;
    if (!worker->was_ready && worker->options->carrier != NULL)
        return false; /* The carrier has not named its types yet. */
    return agenda_is_quiet(&worker->agenda, now_ms) && !agenda_call_fronts(&worker->agenda, now_ms);
}

void
worker_pass(void *cookie)
{
    struct worker *worker = cookie;

    if (worker->is_done)
        return;
    if (worker->options->carrier != NULL)
        carried_call(worker);
    else
        channels_call(worker);
    slots_fill(worker);
    if (!worker->is_stopping)
        lease_release_surplus(worker);
    if (worker->options->is_until_empty && is_out_of_work(worker)) {
        log_event(LOG_INFO, "nothing is due, ending", "done", LOG_I64(worker->tasks_done), NULL);
        begin_stop(worker);
    }
    claim_if_wanted(worker);
    look_ahead(worker);
    traces_pass(worker);
    if (worker->is_stopping)
        stop_if_drained(worker);
}

/* Adds one group for the database work of these queues, one for their calls, and one for each channel that may have a rate
 * of its own. */
static void
add_groups(struct worker *worker, struct queue_limit *limit, const char *queues, bool is_others)
{
    for (int channel = -2; channel < channel_count(); channel++)
        worker->groups[worker->group_count++] = (struct queue_group){.queues = queues == NULL ? NULL : must_strdup(queues),
            .is_others = is_others,
            .is_calls = channel > -2,
            .channel = channel < 0 ? -1 : channel,
            .queue_limit = limit};
}

static void
make_groups(struct worker *worker)
{
    const struct worker_options *options = worker->options;
    size_t most = (size_t)options->queue_count + 1;
    struct queue_limit *limit;
    struct buf plain; /* queues without a limit of their own */

    worker->groups = must_alloc(most * (size_t)(channel_count() + 2) * sizeof(worker->groups[0]));
    worker->queue_limits = must_alloc(most * sizeof(worker->queue_limits[0]));
    limit = worker->queue_limits;
    buf_init(&plain, BOUND_QUEUES * 68);
    for (int i = 0; i < options->queue_count; i++) {
        if (options->queues[i].concurrency > 0) {
            char *queues = must_format("{\"%s\"}", options->queues[i].name);

            limit->concurrency = options->queues[i].concurrency;
            add_groups(worker, limit++, queues, false);
            free(queues);
        } else {
            buf_printf(&plain, "%s\"%s\"", plain.length == 0 ? "{" : ",", options->queues[i].name);
        }
    }
    if (plain.length > 0) {
        buf_puts(&plain, "}");
        add_groups(worker, limit, plain.text, false);
    } else if (options->queue_count == 0 || options->has_other_queues) {
        add_groups(worker, limit, NULL, options->queue_count > 0);
    }
    buf_release(&plain);
}

/* Timeout of an answer.  An answer after the end of a lease is useless, but a busy server is not a frozen one. */
static int64_t
answer_ms(const struct worker_options *options)
{
    if (options->lease_ms < BOUND_ANSWER_MIN_MS)
        return BOUND_ANSWER_MIN_MS;
    return options->lease_ms < BOUND_ANSWER_MAX_MS ? options->lease_ms : BOUND_ANSWER_MAX_MS;
}

void
worker_free(struct worker *worker)
{
    db_conn_close(worker->control);
    db_conn_close(worker->listener);
    db_conn_close(worker->gate);
    for (int i = 0; i < worker->options->concurrency; i++)
        db_conn_close(worker->slots[i].conn);
    while (!list_is_empty(&worker->holdings.all))
        task_free(LIST_OWNER(worker->holdings.all.next, struct task, held));
    traces_stop(worker);
    http_client_free(worker->http);
    channel_set_free(worker->channels);
    for (int i = 0; i < worker->group_count; i++) {
        free(worker->groups[i].queues);
        free(worker->groups[i].types);
        hints_release(&worker->groups[i].hints);
    }
    upkeep_stop(worker);
    schedules_stop(worker);
    health_stop(worker);
    timer_close(worker->lease_timer);
    timer_close(worker->deferred_timer);
    timer_close(worker->look_timer);
    timer_close(worker->stop_timer);
    timer_close(worker->probe_timer);
    timer_close(worker->gate_timer);
    timer_close(worker->room_timer);
    timer_close(worker->pace_timer);
    free(worker->groups);
    agenda_release(&worker->agenda);
    free(worker->queue_limits);
    free(worker->rates);
    hosts_free(&worker->hosts);
    free(worker->queues);
    free(worker->types);
    free(worker->carried_types);
    free(worker->slots);
    free(worker);
}

struct worker *
worker_new(struct loop *loop, const struct worker_options *options, int calls)
{
    struct worker *worker = must_alloc(sizeof(*worker));
    struct http_client_options http = {
        .policy = options->policy,
        .agent = options->agent,
        .ca_file = options->ca_file,
        .may_send = channels_may_send,
    };
    struct db_conn_options control = {
        .conninfo = options->conninfo,
        .name = "control",
        .application_name = "reeve control",
        .answer_ms = answer_ms(options),
        .on_up = on_control_up,
        .on_down = on_control_down,
        .on_warning = on_control_warning,
        .cookie = worker,
    };

    worker->options = options;
    worker->metrics = options->metrics;
    worker->channels = options->channels;
    make_uuid(worker->id, sizeof(worker->id));
    worker->all_calls = calls;
    worker->loop = loop;
    worker->on_probe = instance_on_probe;
    worker->on_settings = worker_settings_ask;
    worker->claimer.first.worker = worker;
    worker->claimer.second.worker = worker;
    holdings_init(&worker->holdings);
    hosts_init(&worker->hosts, options->per_host, worker->all_calls);
    for (int use = 0; use < SLOT_USES; use++)
        worker->batches[use] = 1;
    worker->rates = must_alloc((size_t)channel_count() * sizeof(worker->rates[0]));
    worker->http = http_client_new(worker->loop, &http);
    room_set_calls(worker, worker->all_calls);
    worker->room_timer = timer_new(worker->loop, room_on_timer, worker);
    worker->pace_timer = timer_new(worker->loop, on_pace_timer, worker);
    worker->slots = must_alloc((size_t)options->concurrency * sizeof(worker->slots[0]));
    for (int i = 0; i < options->concurrency; i++) {
        worker->slots[i].worker = worker;
        list_init(&worker->slots[i].tasks);
    }
    slots_pace(worker);
    make_groups(worker);
    agenda_init(&worker->agenda, worker->group_count, options->poll_ms);
    worker->agenda.may_stay_awake = !options->is_until_empty;
    worker->look_timer = timer_new(worker->loop, look_on_timer, worker);
    worker->stop_timer = timer_new(worker->loop, on_stop_timer, worker);
    lease_start(worker);
    upkeep_start(worker);
    schedules_start(worker);
    health_start(worker);
    traces_start(worker);
    worker->control = db_conn_new(worker->loop, &control);
    carried_begin(worker);
    return worker;
}
