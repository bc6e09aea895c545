/*
 * Providers.  A call connects, asks at the last moment whether it may be sent, leaves, and is answered, or is not: its host
 * cannot be reached, hangs up, hangs, answers late or with an error.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "http/http_client.h"
#include "sim.h"
#include "task/task.h"

struct http_client {
    struct loop *loop;
    http_may_send_fn *may_send;
    struct list transfers;
};

struct http_transfer {
    struct list node;
    struct http_client *client;
    http_done_fn *done;
    void *cookie;    /* the worker's task */
    int64_t task_id; /* 0: the transfer has spans */
    int32_t lease_no;
    int64_t timeout_us;
    struct sim_event *event;
    enum http_end end;
    int status;
    bool is_ours;
    bool is_short;
};

struct http_client *
http_client_new(struct loop *loop, const struct http_client_options *options)
{
    struct http_client *client = must_alloc(sizeof(*client));

    client->loop = loop;
    client->may_send = options->may_send;
    list_init(&client->transfers);
    return client;
}

void
http_client_limit(struct http_client *client, int connections)
{
    (void)client;
    (void)connections;
}

static void
transfer_free(struct http_transfer *transfer)
{
    list_remove(&transfer->node);
    sim_cancel(transfer->event);
    free(transfer);
}

void
http_client_free(struct http_client *client)
{
    if (client == NULL)
        return;
    while (!list_is_empty(&client->transfers))
        transfer_free(LIST_OWNER(client->transfers.next, struct http_transfer, node));
    free(client);
}

void
http_cancel(struct http_transfer *transfer)
{
    transfer_free(transfer);
}

static void
on_done(void *cookie)
{
    struct http_transfer *transfer = cookie;
    struct http_transfer copy = *transfer;
    struct buf headers;
    struct buf body;
    struct http_answer answer = {.end = copy.end,
        .status = copy.status,
        .headers = &headers,
        .body = &body,
        .problem = "simulated",
        .is_ours = copy.is_ours,
        .is_short = copy.is_short};

    transfer->event = NULL;
    transfer_free(transfer);
    buf_init(&headers, 1024);
    buf_init(&body, 1024);
    buf_puts(&body, "{}");
    if (copy.task_id != 0) {
        model_task(copy.task_id)->leases[copy.lease_no].was_told = true;
        sim_say("worker %d: the call of task %d ends: %d %d", copy.client->loop->number, (int)copy.task_id, (int)copy.end,
            copy.status);
    }
    copy.done(copy.cookie, &answer);
    buf_release(&headers);
    buf_release(&body);
}

/* What its provider makes of it. */
static void
choose_end(struct http_transfer *transfer, int64_t *ret_delay_us)
{
    static const int bad[] = {500, 503, 404, 429, 400};

    transfer->end = HTTP_ANSWERED;
    transfer->status = 200;
    if (!world_has_faults() || !sim_chance(sim->faults.provider))
        return;
    sim_disturb(transfer->timeout_us);
    switch (sim_between(0, 3)) {
    case 0:
        transfer->status = bad[sim_between(0, 4)];
        break;
    case 1:
        transfer->end = HTTP_IN_DOUBT;
        transfer->status = 0;
        break;
    case 2:
        transfer->end = HTTP_IN_DOUBT;
        transfer->status = 0;
        *ret_delay_us = transfer->timeout_us; /* It hangs. */
        break;
    default:
        *ret_delay_us = sim_between(0, 2 * transfer->timeout_us);
        break;
    }
}

static void
on_connected(void *cookie)
{
    struct http_transfer *transfer = cookie;
    int64_t delay_us = model_task(transfer->task_id)->work_us;

    transfer->event = NULL;
    if (!transfer->client->may_send(transfer->cookie)) {
        transfer->end = HTTP_UNSENT;
        transfer->is_ours = true;
        transfer->event = sim_after(transfer->client->loop, 0, on_done, transfer);
        return;
    }
    check_send(transfer->client->loop->owner, transfer->task_id, transfer->lease_no);
    choose_end(transfer, &delay_us);
    if (delay_us >= transfer->timeout_us) {
        delay_us = transfer->timeout_us;
        transfer->end = HTTP_IN_DOUBT;
        transfer->status = 0;
    }
    transfer->event = sim_after(transfer->client->loop, delay_us, on_done, transfer);
}

/* Spans go to a collector, which may be away, slow, or refuse them. */
static struct http_transfer *
send_spans(struct http_client *client, struct http_request *request, http_done_fn *done, void *cookie)
{
    struct http_transfer *transfer = must_alloc(sizeof(*transfer));
    int64_t delay_us = sim_between(1, 20) * SIM_MS;

    *transfer = (struct http_transfer){.client = client, .done = done, .cookie = cookie, .end = HTTP_ANSWERED, .status = 200};
    list_init(&transfer->node);
    list_append(&client->transfers, &transfer->node);
    if (world_has_faults() && sim_chance(300)) {
        transfer->end = sim_chance(300) ? HTTP_UNSENT : sim_chance(300) ? HTTP_IN_DOUBT : HTTP_ANSWERED;
        transfer->status = transfer->end != HTTP_ANSWERED ? 0 : sim_chance(500) ? 503 : 400;
        delay_us = sim_between(0, request->timeout_ms) * SIM_MS;
    }
    http_request_release(request);
    transfer->event = sim_after(client->loop, delay_us, on_done, transfer);
    return transfer;
}

struct http_transfer *
http_send(struct http_client *client, struct http_request *request, http_done_fn *done, void *cookie)
{
    struct http_transfer *transfer;
    const struct task *task = cookie;
    int64_t connect_us;
    bool is_unreachable;

    if (client->may_send == NULL)
        return send_spans(client, request, done, cookie);
    connect_us = sim_between(100, 5 * SIM_MS);
    is_unreachable = world_has_faults() && sim_chance(sim->faults.provider / 2);
    transfer = must_alloc(sizeof(*transfer));
    *transfer = (struct http_transfer){.client = client,
        .done = done,
        .cookie = cookie,
        .task_id = task->id,
        .lease_no = task->lease_no,
        .timeout_us = request->timeout_ms * SIM_MS,
        .end = HTTP_UNSENT};
    list_init(&transfer->node);
    list_append(&client->transfers, &transfer->node);
    http_request_release(request);
    if (is_unreachable) {
        sim_disturb(0);
        transfer->is_short = sim_chance(200);
        transfer->is_ours = transfer->is_short;
    }
    if (sim_chance(20))
        connect_us = sim_between(0, 5 * SIM_SECOND);
    transfer->event = sim_after(client->loop, connect_us, is_unreachable ? on_done : on_connected, transfer);
    return transfer;
}
