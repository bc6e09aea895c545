/*
 * Outside work.  The worker announces a call (queues.begin_dispatch: fence, before handler, a fact with the key).  As soon
 * as there is a place, it calls the provider with no transaction open.  Then it passes the outcome to finish.c.
 *
 *   decision    action of the worker
 *   send        call the provider when there is a place, if the lease is still held by the clock of this machine and the
 *               policy allows the call
 *   stored      the outcome is known from an earlier lease: finish(stored), no call
 *   completed   none: the task ended in the announcement
 *   expired     give the lease back
 *   fenced      none: the lease was superseded
 *
 * An announcement whose answer was lost starts nothing: it is made again under the same
 * lease, which changes no fact.
 */
#include <inttypes.h>

#include "base/failpoint.h"
#include "task/worker_private.h"

/* Is this refusal the first of its kind?  A refusal names its host, so each host is logged once. */
static bool
is_news(struct worker *worker, const char *text)
{
    uint32_t hash = 2166136261U;

    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    for (int i = 0; i < BOUND_REFUSALS; i++) {
        if (worker->refusals[i] == hash)
            return false;
    }
    worker->refusals[worker->next_refusal] = hash;
    worker->next_refusal = (worker->next_refusal + 1) % BOUND_REFUSALS;
    return true;
}

static void call_next(struct task *task, enum channel_step step, struct http_request *request);

static void
end_call(struct task *task)
{
    struct channel_outcome outcome;

    FAILPOINT("call.answered");
    channel_call_outcome(task->call, &outcome);
    count_call(task, outcome.outcome);
    channel_call_free(task->call);
    task->call = NULL;
    finish_later(task, outcome.outcome, outcome.result, outcome.error, outcome.error_class);
}

/* The call was announced and certainly not sent, for a reason of this worker: neither the task nor its destination has
 * failed.  Any worker may send it again at once. */
static void
give_back(struct task *task, const char *why)
{
    channel_call_free(task->call);
    task->call = NULL;
    finish_later(task, "unsent", NULL, must_format("not sent: %s", why), "");
}

static void
on_answer(void *cookie, const struct http_answer *answer)
{
    struct task *task = cookie;
    struct http_request request;

    task->transfer = NULL;
    if (answer->end == HTTP_UNSENT && answer->is_ours) {
        if (answer->is_short)
            room_on_shortage(task->worker);
        give_back(task, answer->problem);
        return;
    }
    if (answer->end == HTTP_REFUSED)
        task_log(task, is_news(task->worker, answer->problem) ? LOG_WARN : LOG_DEBUG, "outbound request refused", "reason",
            answer->problem);
    call_next(task, channel_call_take(task->call, answer, &request), &request);
}

/* If this process was frozen for a while, another worker may hold the task by now. */
bool
channels_may_send(void *cookie)
{
    const struct task *task = cookie;

    return loop_boot_ms() < task->deadline_ms;
}

static void
call_next(struct task *task, enum channel_step step, struct http_request *request)
{
    struct worker *worker = task->worker;
    int64_t now_ms = loop_now_ms(worker->loop);
    int64_t timeout_ms = task->timeout_ms > 0 ? task->timeout_ms : BOUND_CALL_MS;

    if (step == CHANNEL_DONE) {
        end_call(task);
        return;
    }
    if (!channels_may_send(task)) {
        http_request_release(request);
        give_back(task, "the lease ran out before the request was sent");
        return;
    }
    request->timeout_ms = timeout_ms - (now_ms - task->call_began_ms);
    task->transfer = http_send(worker->http, request, on_answer, task);
}

/* Releases an announced call that must not be made. */
static bool
was_left_out(struct task *task)
{
    struct worker *worker = task->worker;
    const char *why = worker->is_hurried                                          ? "the worker is stopping"
                      : channel_provider(worker->channels, task->channel) == NULL ? "its channel is not configured any more"
                                                                                  : NULL;

    if (why == NULL)
        return false;
    give_back(task, why);
    return true;
}

/* Moves the task to its destination, which may be known only now.  False: the destination has no room.  The database knows
 * the destination, too, so claims pass over the task as long as there is no room. */
static bool
is_let_in(struct task *task, const char *destination)
{
    struct host *host;

    if (destination == NULL || strcmp(task->host->name, destination) == 0)
        return true;
    host = hosts_move(&task->worker->hosts, task->host, destination, task->is_retry, loop_now_ms(task->worker->loop));
    if (host != NULL)
        task->host = host;
    return host != NULL;
}

/* The dispatch of the task is a fact now. */
static void
take_announced(struct task *task, const struct db_result *result, int row)
{
    struct worker *worker = task->worker;
    char own_parent[TRACE_PARENT_SIZE];
    const char *parent = traces_parent(task, db_result_text(result, row, 16), own_parent);

    traces_prepared(task);
    if (carried_is(task)) {
        task->timeout_ms = db_result_i64(result, row, 9, task->timeout_ms);
        carried_announced(
            task, db_result_text(result, row, 2), db_result_text(result, row, 5), (int)db_result_i64(result, row, 11, 1), parent);
        return;
    }
    if (was_left_out(task))
        return;
    if (!is_let_in(task, db_result_text(result, row, 10))) {
        give_back(task, "there are enough calls of its destination under way");
        return;
    }
    task->timeout_ms = db_result_i64(result, row, 9, task->timeout_ms);
    task->call = channel_call_new(worker->channels, task->channel, db_result_text(result, row, 2), db_result_text(result, row, 3),
        db_result_text(result, row, 4), db_result_text(result, row, 5), parent);
    task_move(task, EVENT_ANNOUNCED);
}

static void
start_call(struct task *task)
{
    struct worker *worker = task->worker;
    struct http_request request;

    if (was_left_out(task))
        return;
    traces_called(task);
    hosts_start(&worker->hosts, task->host);
    task->call_began_ms = loop_now_ms(worker->loop);
    task_move(task, EVENT_CALLED);
    call_next(task, channel_call_begin(task->call, &request), &request);
}

void
channels_call(struct worker *worker)
{
    struct list *to_call = &worker->holdings.in[TASK_ANNOUNCED];

    for (struct list *node = to_call->next, *next; node != to_call; node = next) {
        struct task *task = LIST_OWNER(node, struct task, node);

        next = node->next;
        if (holdings_calling(&worker->holdings) >= worker->most_calls)
            return;
        if (hosts_may_start(&worker->hosts, task->host))
            start_call(task);
    }
}

static void
put_back(struct task *task)
{
    task->runs_alone = true;
    task_move(task, EVENT_INTERRUPTED);
}

/* The announcement of one task failed and was rolled back. */
static void
end_refused(struct slot *slot, struct task *task, const char *code, const char *message, bool is_at_commit)
{
    struct worker *worker = slot->worker;
    char *why;

    /* QU codes come from the engine.  At commit only triggers of users raise errors. */
    if (!is_at_commit && strcmp(code, "QU002") == 0) {
        lease_end(worker, task, EVENT_LOST);
    } else if (sqlstate_is_passing(code)) {
        finish_later(task, "transient", NULL, must_strdup(message), "");
    } else if (strcmp(code, "57014") == 0 && slot->is_cancelled) {
        lease_release(worker, task, 0);
    } else if (strcmp(code, "57014") == 0) {
        why = run_why_cancelled(slot, message, worker->options->handler_timeout_ms);
        finish_later(task, "failed", NULL, must_format("before handler %s", why), "handler");
        free(why);
    } else if (sqlstate_is_servers_fault(code, is_at_commit)) {
        task_log(task, LOG_ERROR, "task given back, the database could not prepare it", "error", message);
        lease_release(worker, task, BOUND_RECONNECT_MAX_MS);
    } else {
        finish_later(task, "failed", NULL, must_strdup(message), "handler");
    }
}

static void
unit_failed(struct slot *slot, const struct err *err, bool is_at_commit)
{
    struct worker *worker = slot->worker;
    struct task *task = slot_first(&slot->tasks);

    if (slot->count == 1 && err->kind != ERR_RETRY) {
        end_refused(slot, task, err->code, err->message, is_at_commit);
    } else if (slot->count == 1 && ++task->interruptions >= BOUND_INTERRUPTIONS) {
        task_log(task, LOG_WARN, "task left to its lease, its connection was lost each time", NULL, NULL);
        lease_end(worker, task, EVENT_LOST);
    }
    while (!list_is_empty(&slot->tasks))
        put_back(LIST_OWNER(slot->tasks.prev, struct task, node));
    slot_clear(slot);
    if (worker->is_stopping)
        lease_release_waiting(worker);
}

static void
take_row(struct slot *slot, struct task *task, const struct db_result *result, int row)
{
    struct worker *worker = slot->worker;
    const char *decision = db_result_text(result, row, 1);

    if (decision == NULL) {
        end_refused(slot, task, db_result_shown(result, row, 7), db_result_shown(result, row, 6), false);
    } else if (strcmp(decision, "send") == 0) {
        /* The announcement found or left at least two thirds of the lease. */
        if (task->deadline_ms < slot->boot_ms + worker->options->lease_ms * 2 / 3)
            task->deadline_ms = slot->boot_ms + worker->options->lease_ms * 2 / 3;
        take_announced(task, result, row);
    } else if (strcmp(decision, "stored") == 0) {
        finish_later(task, "stored", NULL, NULL, "");
    } else if (strcmp(decision, "completed") == 0) {
        const char *outcome = db_result_text(result, row, 12);

        task_log(task, LOG_DEBUG, "task ended before its call", NULL, NULL);
        finish_say(task, &(const struct end){.outcome = outcome == NULL ? "cancelled" : outcome,
                             .has_error = db_result_text(result, row, 14) != NULL || db_result_text(result, row, 15) != NULL,
                             .name = db_result_text(result, row, 13),
                             .error_class = db_result_text(result, row, 14),
                             .error = db_result_text(result, row, 15)});
        worker->tasks_done++;
        lease_end(worker, task, EVENT_COMMITTED);
    } else if (strcmp(decision, "expired") == 0) {
        lease_release(worker, task, 0);
    } else if (strcmp(decision, "later") == 0) {
        task->is_careful = true;
        task_move(task, EVENT_INTERRUPTED);
    } else {
        lease_end(worker, task, EVENT_LOST);
    }
}

void
channels_announced(void *cookie, const struct db_result *result, const struct err *err)
{
    struct slot *slot = cookie;
    struct err strange;

    if (err != NULL) {
        unit_failed(slot, err, result != NULL);
        return;
    }
    FAILPOINT("dispatch.begun");
    if (!slot_fits(slot, result, true, &strange)) {
        unit_failed(slot, &strange, false);
        return;
    }
    slot_learn(slot, db_result_rows(result), db_result_number(result, 0, 8), BOUND_CALL_BATCH);
    for (int row = 0; row < db_result_rows(result); row++)
        take_row(slot, slot_find(slot, db_result_i64(result, row, 0, 0)), result, row);
    slot_clear(slot);
}

/* May another call be announced?  As many calls are announced ahead as end during an announcement, so that no place stands
 * empty meanwhile. */
bool
channels_have_room(struct worker *worker)
{
    const struct task *first = slot_first(&worker->holdings.waiting[TASK_CALLS]);

    return holdings_announced(&worker->holdings) < worker->most_calls + (first->is_careful ? 0 : room_ahead(worker));
}

void
channels_announce(struct slot *slot)
{
    struct worker *worker = slot->worker;
    const struct list *to_announce = &worker->holdings.waiting[TASK_CALLS];
    struct task *first = slot_first(to_announce);
    int places = worker->most_calls - holdings_announced(&worker->holdings);
    struct db_step step = {.statement = STATEMENT_BEGIN_DISPATCH, .params = {worker->id}};
    char places_text[16];
    struct buf ids;
    struct buf lease_nos;

    slot_take(slot, first, EVENT_ANNOUNCE_SENT);
    while (!first->runs_alone && slot->count < worker->batches[SLOT_ANNOUNCE] && !list_is_empty(to_announce)
           && channels_have_room(worker) && !slot_first(to_announce)->runs_alone)
        slot_take(slot, slot_first(to_announce), EVENT_ANNOUNCE_SENT);
    buf_init(&ids, BOUND_CLAIM * 24);
    buf_init(&lease_nos, BOUND_CLAIM * 16);
    for (struct list *node = slot->tasks.next; node != &slot->tasks; node = node->next) {
        struct task *task = LIST_OWNER(node, struct task, node);

        buf_printf(&ids, "%s%" PRId64, ids.length == 0 ? "{" : ",", task->id);
        buf_printf(&lease_nos, "%s%" PRId32, lease_nos.length == 0 ? "{" : ",", task->lease_no);
    }
    buf_puts(&ids, "}");
    buf_puts(&lease_nos, "}");
    step.params[1] = ids.text;
    step.params[2] = lease_nos.text;
    (void)snprintf(places_text, sizeof(places_text), "%d", places < 0 ? 0 : places);
    step.params[3] = places_text;
    slot->boot_ms = loop_boot_ms();
    db_conn_send_limited(
        slot->conn, &step, worker->options->handler_timeout_ms, worker->options->lock_timeout_ms, channels_announced, slot);
    FAILPOINT("dispatch.sent");
    buf_release(&ids);
    buf_release(&lease_nos);
}

/* The grace is over.  A request that was sent may have had its effect, so its task is left to its lease. */
void
channels_end_calls(struct worker *worker)
{
    const struct list *calling = &worker->holdings.in[TASK_CALLING];
    const struct list *to_call = &worker->holdings.in[TASK_ANNOUNCED];

    while (!list_is_empty(calling))
        lease_end(worker, slot_first(calling), EVENT_LOST);
    if (worker->options->carrier != NULL)
        carried_call(worker); /* is_stopping: these calls are given back */
    while (!list_is_empty(to_call))
        start_call(slot_first(to_call)); /* is_hurried: these calls are not made */
}
