/*
 * reeve metrics: exports the figures of the whole database, from one place.
 */
#include <signal.h>

#include "base/bounds.h"
#include "base/exit.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/figures.h"
#include "cli/worker_pages.h"
#include "db/db_env.h"
#include "loop/notify.h"

static void
show_metrics(void *cookie, struct web_request *request)
{
    figures_write(cookie, request);
}

static void
show_life(void *cookie, struct web_request *request)
{
    (void)cookie;
    pages_write_health(&request->answer, true, "ok");
}

static void
show_readiness(void *cookie, struct web_request *request)
{
    const char *reason;
    bool is_good = figures_are_fresh(cookie, &reason);

    pages_write_health(&request->answer, is_good, reason);
}

static const struct web_route routes[] = {
    {"/metrics", show_metrics},
    {"/livez", show_life},
    {"/readyz", show_readiness},
};

static void
answer_page(void *cookie, struct web_request *request)
{
    web_answer_routes(routes, (int)LENGTH(routes), cookie, request);
}

static void
on_signal(void *cookie, int number)
{
    (void)number;
    loop_stop(cookie);
}

int
cmd_metrics(const struct command *command, const struct config *config)
{
    const char *address = config_text(config, CONFIG_LISTEN);
    struct loop *loop = loop_new();
    struct figures *figures;
    struct web_server *server;

    (void)command;
    db_env_set(config_text(config, CONFIG_DATABASE_URL));
    figures = figures_new(loop, config_text(config, CONFIG_DATABASE_URL), "reeve metrics");
    server = pages_listen(loop, address == NULL ? "127.0.0.1:9465" : address, answer_page, figures);
    if (server != NULL) {
        loop_on_signal(loop, SIGTERM, on_signal, loop);
        loop_on_signal(loop, SIGINT, on_signal, loop);
        (void)signal(SIGPIPE, SIG_IGN);
        /* It is ready without its database: it says that the database is down. */
        notify_ready();
        loop_run(loop, NULL, NULL);
        notify_stopping();
        log_event(LOG_INFO, "metrics ended", NULL);
        web_server_free(server);
    }
    figures_stop(figures);
    loop_free(loop);
    figures_free(figures);
    return server == NULL ? EXIT_CONFIG : EXIT_OK;
}

int
cmd_metrics_list(const struct command *command, const struct config *config)
{
    struct buf text;

    (void)command;
    (void)config;
    buf_init(&text, BOUND_PAGE_BYTES);
    metrics_describe(&text);
    (void)fputs(text.text, stdout);
    buf_release(&text);
    return EXIT_OK;
}
