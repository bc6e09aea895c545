/*
 * Calls that a carrier carries out (channel/carrier.h): announced and recorded like all calls, handed over instead of sent.  A
 * call that was announced and not handed over is given back at once when the worker stops, or when nobody can take it.
 */
#include "base/failpoint.h"
#include "task/worker_private.h"

/* A call that was announced; the task owns it until it is handed over. */
struct carried_request {
    char *payload;
    char *key;
    char *traceparent; /* NULL: none */
    int attempt;
};

void
carried_request_free(struct carried_request *request)
{
    if (request == NULL)
        return;
    free(request->payload);
    free(request->key);
    free(request->traceparent);
    free(request);
}

static void
give_back(struct task *task, const char *why)
{
    carried_request_free(task->request);
    task->request = NULL;
    finish_later(task, "unsent", NULL, must_format("not sent: %s", why), "");
}

static void
cancel(struct task *task, bool is_lost)
{
    if (task->carried != NULL)
        task->worker->options->carrier->cancel(task->carried, is_lost);
}

static void
forget(struct task *task)
{
    carried_request_free(task->request);
    if (task->carried != NULL)
        task->worker->options->carrier->forget(task->carried);
}

void
carried_announced(struct task *task, const char *payload, const char *key, int attempt, const char *traceparent)
{
    struct carried_request *request = must_alloc(sizeof(*request));

    request->payload = must_strdup(payload == NULL ? "{}" : payload);
    request->key = must_strdup(key == NULL ? "" : key);
    request->traceparent = traceparent == NULL ? NULL : must_strdup(traceparent);
    request->attempt = attempt;
    task->request = request;
    task->forget = forget;
    task->cancel = cancel;
    task_move(task, EVENT_ANNOUNCED);
}

static void
hand_over(struct task *task)
{
    const struct carrier *carrier = task->worker->options->carrier;
    struct carried_request *request = task->request;
    struct carrier_task handed = {
        .id = task->id,
        .type = task->type,
        .payload = request->payload,
        .key = request->key,
        .attempt = request->attempt,
        .traceparent = request->traceparent,
        .timeout_ms = task->timeout_ms,
    };

    task->request = NULL;
    traces_called(task);
    task->call_began_ms = loop_now_ms(task->worker->loop);
    task_move(task, EVENT_CALLED);
    task->carried = carrier->send(carrier->self, &handed, task);
    FAILPOINT("carried.sent");
    carried_request_free(request);
}

void
carried_call(struct worker *worker)
{
    const struct carrier *carrier = worker->options->carrier;
    struct list *to_call = &worker->holdings.in[TASK_ANNOUNCED];

    for (struct list *node = to_call->next, *next; node != to_call; node = next) {
        struct task *task = LIST_OWNER(node, struct task, node);
        enum carrier_room room = carrier->room(carrier->self, task->type);

        next = node->next;
        if (worker->is_stopping)
            give_back(task, "the worker is stopping");
        else if (room == CARRIER_UNABLE)
            give_back(task, "no child of the program does this type now");
        else if (!channels_may_send(task))
            give_back(task, "the lease ran out before the task was handed over");
        else if (room == CARRIER_FREE)
            hand_over(task);
        else if (holdings_calling(&worker->holdings) >= worker->most_calls)
            return; /* the other tasks wait, too */
    }
}

static void
on_answer(void *cookie, const struct carrier_answer *answer)
{
    struct task *task = cookie;

    FAILPOINT("carried.answered");
    task->carried = NULL;
    count_call(task, answer->outcome);
    finish_later(task, answer->outcome, answer->result, answer->error, answer->error_class);
}

static void
on_progress(void *cookie, const char *progress)
{
    const struct task *task = cookie;
    struct worker *worker = task->worker;
    struct db_step step = {
        .statement = STATEMENT_PROGRESS, .params = {worker->id, LOG_I64(task->id), LOG_I64(task->lease_no), progress}};

    /* A report that is lost does no harm. */
    if (worker->is_started && db_conn_is_up(worker->control))
        db_conn_send(worker->control, &step, NULL, NULL);
}

/* Types or places have changed. */
static void
on_change(void *cookie)
{
    struct worker *worker = cookie;
    const struct carrier *carrier = worker->options->carrier;
    const char *types = carrier->types(carrier->self);
    int places = carrier->places(carrier->self);

    if (places != worker->all_calls) {
        worker->all_calls = places;
        room_set_calls(worker, places);
        look_at_all(worker);
    }
    if (types != NULL && (worker->carried_types == NULL || strcmp(types, worker->carried_types) != 0)) {
        free(worker->carried_types);
        worker->carried_types = must_strdup(types);
        worker->on_settings(worker);
    }
}

void
carried_begin(struct worker *worker)
{
    const struct carrier *carrier = worker->options->carrier;
    struct carrier_user user = {
        .cookie = worker,
        .on_change = on_change,
        .may_send = channels_may_send,
        .on_answer = on_answer,
        .on_progress = on_progress,
    };

    if (carrier == NULL)
        return;
    carrier->begin(carrier->self, worker->loop, &user);
    on_change(worker);
}
