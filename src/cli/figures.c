/*
 * The figures of the whole database, for /metrics of reeve metrics and reeve serve.
 */
#include "cli/figures.h"

#include <stdlib.h>

#include "base/bounds.h"
#include "base/log.h"
#include "cli/bundle.h"
#include "cli/worker_pages.h"
#include "db/db_conn.h"
#include "db/db_probe.h"
#include "loop/notify.h"

struct figures {
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

bool
figures_are_fresh(const struct figures *figures, const char **ret_reason)
{
    int64_t now_ms = loop_now_ms(figures->loop);

    *ret_reason = "ok";
    if (!db_conn_is_up(figures->conn) || !db_conn_is_up(figures->probe_conn))
        *ret_reason = "not connected to the database";
    else if (!db_probe_is_fresh(&figures->probe, now_ms))
        *ret_reason = "the database has not answered a probe lately";
    else if (figures->refreshed_ms == 0)
        *ret_reason = "the database has not answered with figures yet";
    else if (figures->schema_version != bundle_schema_version())
        *ret_reason = "the schema of the database is of another version than this program";
    else
        return true;
    return false;
}

static void
take_figures(struct figures *figures, const struct db_result *result)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (metric_rows[i].source == METRIC_OF_DATABASE)
            metrics_clear(figures->metrics, (enum metric)i);
    }
    for (int row = 0; row < db_result_rows(result); row++) {
        enum metric metric = metric_find(db_result_text(result, row, 0));
        const char *label = db_result_text(result, row, 1);

        /* A newer schema may have figures that this program does not know. */
        if (metric == METRIC_COUNT || metric_rows[metric].kind != METRIC_GAUGE
            || (label == NULL) != (metric_rows[metric].labels[0] == NULL))
            continue;
        metrics_set(figures->metrics, metric, METRIC_WITH(label), db_result_number(result, row, 2));
        if (metric == METRIC_SCHEMA_VERSION)
            figures->schema_version = (int)db_result_number(result, row, 2);
    }
}

static void
on_answer(void *cookie, const struct db_result *result, const struct err *err)
{
    struct figures *figures = cookie;
    int64_t now_ms = loop_now_ms(figures->loop);
    int64_t took_ms = now_ms - figures->refresh_sent_ms;
    int64_t rest_ms = took_ms * BOUND_REFRESH_FACTOR < BOUND_REFRESH_MS ? BOUND_REFRESH_MS : took_ms * BOUND_REFRESH_FACTOR;

    figures->is_refreshing = false;
    timer_start(figures->refresh_timer, rest_ms);
    if (err != NULL) {
        if (err->kind != ERR_RETRY && !figures->was_refused)
            log_event(LOG_ERROR, "the database refused its figures", "sqlstate", err->code, "error", err->message, "hint",
                "The login needs queues_observer, and the schema the version of this program.", NULL);
        figures->was_refused = figures->was_refused || err->kind != ERR_RETRY;
        return;
    }
    figures->was_refused = false;
    figures->refreshed_ms = now_ms;
    take_figures(figures, result);
    metrics_set(figures->metrics, METRIC_REFRESH, NULL, (double)took_ms / 1000);
}

static void
refresh(void *cookie)
{
    struct figures *figures = cookie;
    struct db_step step = {.statement = STATEMENT_METRICS};

    timer_start(figures->refresh_timer, BOUND_REFRESH_MS);
    if (figures->is_refreshing || !db_conn_is_up(figures->conn))
        return;
    figures->is_refreshing = true;
    figures->refresh_sent_ms = loop_now_ms(figures->loop);
    db_conn_send(figures->conn, &step, on_answer, figures);
}

static void
on_pong(void *cookie, const struct db_result *result, const struct err *err)
{
    struct figures *figures = cookie;

    (void)result;
    db_probe_end(&figures->probe, err != NULL);
    if (err == NULL)
        metrics_observe(
            figures->metrics, METRIC_PROBE, NULL, (double)(loop_now_ms(figures->loop) - figures->probe.sent_ms) / 1000, 1, 0);
}

static void
probe(void *cookie)
{
    struct figures *figures = cookie;
    struct db_step step = {.statement = STATEMENT_PING};

    timer_start(figures->probe_timer, BOUND_HEALTH_MS);
    notify_alive();
    if (!db_conn_is_up(figures->probe_conn) || !db_probe_begin(&figures->probe, loop_now_ms(figures->loop)))
        return;
    db_conn_send(figures->probe_conn, &step, on_pong, figures);
}

static void
on_up(void *cookie)
{
    struct figures *figures = cookie;

    if (figures->lost_ms != 0)
        log_event(LOG_INFO, "connected again", "after_s", LOG_DBL((double)(loop_now_ms(figures->loop) - figures->lost_ms) / 1000),
            NULL);
    figures->lost_ms = 0;
    refresh(figures);
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
    struct figures *figures = cookie;

    if (figures->lost_ms != 0)
        return;
    log_event(LOG_WARN, "no connection to the database, connecting again", "error", err->message, NULL);
    figures->lost_ms = loop_now_ms(figures->loop);
}

struct metrics *
figures_metrics(struct figures *figures)
{
    return figures->metrics;
}

void
figures_write(struct figures *figures, struct web_request *request)
{
    const char *reason;

    metrics_set(figures->metrics, METRIC_UP, NULL, figures_are_fresh(figures, &reason));
    if (figures->refreshed_ms != 0)
        metrics_set(
            figures->metrics, METRIC_REFRESH_AGE, NULL, (double)(loop_now_ms(figures->loop) - figures->refreshed_ms) / 1000);
    pages_write_metrics(figures->metrics, request);
}

struct figures *
figures_new(struct loop *loop, const char *conninfo, const char *application_name)
{
    struct figures *figures = must_alloc(sizeof(*figures));
    struct db_conn_options options = {
        .conninfo = conninfo,
        .name = "metrics",
        .application_name = application_name,
        .answer_ms = BOUND_ANSWER_MAX_MS,
        .on_up = on_up,
        .on_down = on_down,
        .cookie = figures,
    };
    struct db_conn_options probe_options = options;
    char name[64];

    (void)snprintf(name, sizeof(name), "%s probe", application_name);
    probe_options.application_name = name;
    probe_options.name = "probe";
    probe_options.answer_ms = BOUND_ANSWER_MIN_MS;
    probe_options.on_up = on_probe_up;
    probe_options.on_down = on_probe_down;
    figures->loop = loop;
    figures->metrics = metrics_new();
    pages_describe_program(figures->metrics);
    figures->refresh_timer = timer_new(loop, refresh, figures);
    figures->probe_timer = timer_new(loop, probe, figures);
    figures->conn = db_conn_new(loop, &options);
    figures->probe_conn = db_conn_new(loop, &probe_options);
    timer_start(figures->refresh_timer, BOUND_REFRESH_MS);
    timer_start(figures->probe_timer, BOUND_HEALTH_MS);
    return figures;
}

void
figures_stop(struct figures *figures)
{
    if (figures == NULL)
        return;
    db_conn_close(figures->conn);
    db_conn_close(figures->probe_conn);
    timer_close(figures->refresh_timer);
    timer_close(figures->probe_timer);
}

void
figures_free(struct figures *figures)
{
    if (figures == NULL)
        return;
    metrics_free(figures->metrics);
    free(figures);
}
