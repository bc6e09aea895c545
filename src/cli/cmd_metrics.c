/*
 * reeve metrics: exports the figures of the whole database, from one place.  A page is answered from memory, so it is quick
 * also while the database is slow or gone.  The figures are asked for every few seconds; a slow answer makes the next question
 * come later, so that the question takes at most a twentieth of the time.
 */
#include <signal.h>

#include "base/bounds.h"
#include "base/log.h"
#include "cli/bundle.h"
#include "cli/command.h"
#include "cli/worker_pages.h"
#include "base/exit.h"
#include "db/db_conn.h"
#include "db/db_env.h"
#include "db/db_probe.h"
#include "loop/notify.h"

struct exporter {
    struct loop *loop;
    struct db_conn *conn;       /* asks for the figures, which may take a while */
    struct db_conn *probe_conn; /* asks whether the database is there */
    struct metrics *metrics;
    struct timer *refresh_timer;
    struct timer *probe_timer;
    bool is_refreshing;
    int64_t refresh_sent_ms;
    int64_t refreshed_ms;  /* time of the last answer with figures; 0: none */
    struct db_probe probe; /* evidence that the database answers */
    int64_t lost_ms;       /* time at which the connection was lost; 0: it was not */
    int schema_version;    /* as the figures say; 0: not known */
    bool was_refused;      /* the log says that the database refused the figures */
};

/* Says whether the database answered lately. */
static bool
is_up(const struct exporter *exporter, const char **ret_reason)
{
    int64_t now_ms = loop_now_ms(exporter->loop);

    *ret_reason = "ok";
    if (!db_conn_is_up(exporter->conn) || !db_conn_is_up(exporter->probe_conn))
        *ret_reason = "not connected to the database";
    else if (!db_probe_is_fresh(&exporter->probe, now_ms))
        *ret_reason = "the database has not answered a probe lately";
    else if (exporter->refreshed_ms == 0)
        *ret_reason = "the database has not answered with figures yet";
    else if (exporter->schema_version != bundle_schema_version())
        *ret_reason = "the schema of the database is of another version than this program";
    else
        return true;
    return false;
}

static void
take_figures(struct exporter *exporter, const struct db_result *result)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (metric_rows[i].source == METRIC_OF_DATABASE)
            metrics_clear(exporter->metrics, (enum metric)i);
    }
    for (int row = 0; row < db_result_rows(result); row++) {
        enum metric metric = metric_find(db_result_text(result, row, 0));
        const char *label = db_result_text(result, row, 1);

        /* A newer schema may have figures that this program does not know. */
        if (metric == METRIC_COUNT || metric_rows[metric].kind != METRIC_GAUGE
            || (label == NULL) != (metric_rows[metric].labels[0] == NULL))
            continue;
        metrics_set(exporter->metrics, metric, METRIC_WITH(label), db_result_number(result, row, 2));
        if (metric == METRIC_SCHEMA_VERSION)
            exporter->schema_version = (int)db_result_number(result, row, 2);
    }
}

static void
on_figures(void *cookie, const struct db_result *result, const struct err *err)
{
    struct exporter *exporter = cookie;
    int64_t now_ms = loop_now_ms(exporter->loop);
    int64_t took_ms = now_ms - exporter->refresh_sent_ms;
    int64_t rest_ms = took_ms * BOUND_REFRESH_FACTOR < BOUND_REFRESH_MS ? BOUND_REFRESH_MS : took_ms * BOUND_REFRESH_FACTOR;

    exporter->is_refreshing = false;
    timer_start(exporter->refresh_timer, rest_ms);
    if (err != NULL) {
        if (err->kind != ERR_RETRY && !exporter->was_refused)
            log_event(LOG_ERROR, "the database refused its figures", "sqlstate", err->code, "error", err->message, "hint",
                "The login needs queues_observer, and the schema the version of this program.", NULL);
        exporter->was_refused = exporter->was_refused || err->kind != ERR_RETRY;
        return;
    }
    exporter->was_refused = false;
    exporter->refreshed_ms = now_ms;
    take_figures(exporter, result);
    metrics_set(exporter->metrics, METRIC_REFRESH, NULL, (double)took_ms / 1000);
}

static void
refresh(void *cookie)
{
    struct exporter *exporter = cookie;
    struct db_step step = {.statement = STATEMENT_METRICS};

    timer_start(exporter->refresh_timer, BOUND_REFRESH_MS);
    if (exporter->is_refreshing || !db_conn_is_up(exporter->conn))
        return;
    exporter->is_refreshing = true;
    exporter->refresh_sent_ms = loop_now_ms(exporter->loop);
    db_conn_send(exporter->conn, &step, on_figures, exporter);
}

static void
on_pong(void *cookie, const struct db_result *result, const struct err *err)
{
    struct exporter *exporter = cookie;

    (void)result;
    db_probe_end(&exporter->probe, err != NULL);
    if (err == NULL)
        metrics_observe(
            exporter->metrics, METRIC_PROBE, NULL, (double)(loop_now_ms(exporter->loop) - exporter->probe.sent_ms) / 1000, 1, 0);
}

static void
probe(void *cookie)
{
    struct exporter *exporter = cookie;
    struct db_step step = {.statement = STATEMENT_PING};

    timer_start(exporter->probe_timer, BOUND_HEALTH_MS);
    notify_alive();
    if (!db_conn_is_up(exporter->probe_conn) || !db_probe_begin(&exporter->probe, loop_now_ms(exporter->loop)))
        return;
    db_conn_send(exporter->probe_conn, &step, on_pong, exporter);
}

static void
on_up(void *cookie)
{
    struct exporter *exporter = cookie;

    if (exporter->lost_ms != 0)
        log_event(LOG_INFO, "connected again", "after_s",
            LOG_DBL((double)(loop_now_ms(exporter->loop) - exporter->lost_ms) / 1000), NULL);
    exporter->lost_ms = 0;
    refresh(exporter);
}

static void
on_probe_up(void *cookie)
{
    probe(cookie);
}

/* The other connection logs the loss. */
static void
on_probe_down(void *cookie, const struct err *err)
{
    (void)cookie;
    (void)err;
}

static void
on_down(void *cookie, const struct err *err)
{
    struct exporter *exporter = cookie;

    if (exporter->lost_ms != 0)
        return;
    log_event(LOG_WARN, "no connection to the database, connecting again", "error", err->message, NULL);
    exporter->lost_ms = loop_now_ms(exporter->loop);
}

static void
show_metrics(void *cookie, struct web_request *request)
{
    struct exporter *exporter = cookie;
    const char *reason;

    metrics_set(exporter->metrics, METRIC_UP, NULL, is_up(exporter, &reason));
    if (exporter->refreshed_ms != 0)
        metrics_set(
            exporter->metrics, METRIC_REFRESH_AGE, NULL, (double)(loop_now_ms(exporter->loop) - exporter->refreshed_ms) / 1000);
    pages_write_metrics(exporter->metrics, request);
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
    bool is_good = is_up(cookie, &reason);

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
    struct exporter *exporter = cookie;

    (void)number;
    loop_stop(exporter->loop);
}

int
cmd_metrics(const struct command *command, const struct config *config)
{
    const char *address = config_text(config, CONFIG_LISTEN);
    struct exporter exporter = {.loop = loop_new(), .metrics = metrics_new()};
    struct db_conn_options options = {
        .conninfo = config_text(config, CONFIG_DATABASE_URL),
        .name = "metrics",
        .application_name = "reeve metrics",
        .answer_ms = BOUND_ANSWER_MAX_MS,
        .on_up = on_up,
        .on_down = on_down,
        .cookie = &exporter,
    };
    struct db_conn_options probe_options = {
        .conninfo = options.conninfo,
        .name = "probe",
        .application_name = "reeve metrics probe",
        .answer_ms = BOUND_ANSWER_MIN_MS,
        .on_up = on_probe_up,
        .on_down = on_probe_down,
        .cookie = &exporter,
    };
    struct web_server *server;

    (void)command;
    db_env_set(options.conninfo);
    pages_describe_program(exporter.metrics);
    server = pages_listen(exporter.loop, address == NULL ? "127.0.0.1:9465" : address, answer_page, &exporter);
    if (server != NULL) {
        exporter.refresh_timer = timer_new(exporter.loop, refresh, &exporter);
        exporter.probe_timer = timer_new(exporter.loop, probe, &exporter);
        exporter.conn = db_conn_new(exporter.loop, &options);
        exporter.probe_conn = db_conn_new(exporter.loop, &probe_options);
        timer_start(exporter.refresh_timer, BOUND_REFRESH_MS);
        timer_start(exporter.probe_timer, BOUND_HEALTH_MS);
        loop_on_signal(exporter.loop, SIGTERM, on_signal, &exporter);
        loop_on_signal(exporter.loop, SIGINT, on_signal, &exporter);
        (void)signal(SIGPIPE, SIG_IGN);
        /* It is ready without its database: it says that the database is down. */
        notify_ready();
        loop_run(exporter.loop, NULL, NULL);
        notify_stopping();
        log_event(LOG_INFO, "metrics ended", NULL);
        web_server_free(server);
        db_conn_close(exporter.conn);
        db_conn_close(exporter.probe_conn);
        timer_close(exporter.refresh_timer);
        timer_close(exporter.probe_timer);
    }
    loop_free(exporter.loop);
    metrics_free(exporter.metrics);
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
