#include "cli/worker_pages.h"

#include "base/bounds.h"
#include "base/log.h"
#include "base/outside.h"
#include "cli/command.h"

void
pages_describe_program(struct metrics *metrics)
{
    metrics_set(metrics, METRIC_BUILD_INFO, METRIC_WITH(PROGRAM_VERSION), 1);
    metrics_set(metrics, METRIC_START_TIME, NULL, (double)outside_wall_ms() / 1000);
    metrics_add(metrics, METRIC_OVERFLOWS, NULL, 0);
}

void
pages_write_metrics(const struct metrics *metrics, struct web_request *request)
{
    enum metrics_format format = metrics_format_for(web_request_header(request, "Accept"));

    request->answer.type = metrics_media_type(format);
    metrics_write(metrics, format, &request->answer.body);
}

void
pages_write_health(struct web_answer *answer, bool is_good, const char *reason)
{
    answer->status = is_good ? 200 : 503;
    buf_printf(&answer->body, "%s\n", reason);
}

struct web_server *
pages_listen(struct loop *loop, const char *address, web_answer_fn *answer, void *cookie)
{
    struct err err;
    struct web_options options = {
        .address = address,
        .answer = answer,
        .cookie = cookie,
        .most_visitors = BOUND_VISITORS,
        .most_of_peer = BOUND_VISITORS,
        .is_guest = true,
    };
    struct web_server *server = web_server_new(loop, &options, &err);

    if (server == NULL) {
        log_event(LOG_ERROR, "cannot show figures", "error", err.message, "hint", "See --listen, REEVE_LISTEN.", NULL);
        return NULL;
    }
    log_event(LOG_INFO, "listening", "address", web_server_address(server), NULL);
    if (!web_server_is_local(server))
        log_event(LOG_WARN, "everybody who reaches this address can read the names of queues and task types", "address",
            web_server_address(server), NULL);
    return server;
}

static void
show_metrics(void *cookie, struct web_request *request)
{
    struct worker_pages *pages = cookie;

    worker_measure(pages->worker);
    pages_write_metrics(pages->metrics, request);
}

/* This answer comes from the loop, so the loop turns. */
static void
show_life(void *cookie, struct web_request *request)
{
    (void)cookie;
    pages_write_health(&request->answer, true, "ok");
}

static void
show_readiness(void *cookie, struct web_request *request)
{
    struct worker_pages *pages = cookie;
    struct worker_health health;

    worker_health(pages->worker, &health);
    pages_write_health(&request->answer, health.is_ready, health.ready_reason);
}

static void
show_progress(void *cookie, struct web_request *request)
{
    struct worker_pages *pages = cookie;
    struct worker_health health;

    worker_health(pages->worker, &health);
    pages_write_health(&request->answer, !health.is_stalled, health.stall_reason);
}

static const struct web_route routes[] = {
    {"/metrics", show_metrics},
    {"/livez", show_life},
    {"/readyz", show_readiness},
    {"/progressz", show_progress},
};

static void
answer_page(void *cookie, struct web_request *request)
{
    web_answer_routes(routes, (int)LENGTH(routes), cookie, request);
}

static bool
begin(void *cookie, struct loop *loop, struct worker *worker)
{
    struct worker_pages *pages = cookie;

    pages->worker = worker;
    pages_describe_program(pages->metrics);
    pages->server = pages_listen(loop, pages->address, answer_page, pages);
    return pages->server != NULL;
}

static void
end(void *cookie)
{
    struct worker_pages *pages = cookie;

    web_server_free(pages->server);
}

void
worker_pages_init(struct worker_pages *pages, const char *address, struct metrics *metrics)
{
    *pages = (struct worker_pages){.address = address, .metrics = metrics};
    pages->guest = (struct worker_guest){.begin = begin, .end = end, .cookie = pages};
}
