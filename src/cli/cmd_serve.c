/*
 * reeve serve: the dashboard.  This file reads the options and starts it; src/serve answers.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/exit.h"
#include "base/log.h"
#include "cli/bundle.h"
#include "cli/command.h"
#include "cli/confine.h"
#include "cli/figures.h"
#include "db/db_env.h"
#include "loop/notify.h"
#include "serve/serve.h"

/* Reads a file of the certificate or key.  The caller frees *ret_text. */
static bool
read_pem(const char *path, char **ret_text, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text;
    ssize_t length;

    if (fd < 0)
        return err_set(err, ERR_REFUSED, "", "cannot read \"%s\": %s", path, strerror(errno));
    text = must_alloc(BOUND_SECRET_BYTES + 1);
    length = read(fd, text, BOUND_SECRET_BYTES);
    (void)close(fd);
    if (length <= 0) {
        free(text);
        return err_set(err, ERR_REFUSED, "", "\"%s\" is empty or cannot be read", path);
    }
    *ret_text = text;
    return true;
}

static bool
read_tls(const struct config *config, char **ret_certificate, char **ret_key, struct err *err)
{
    const char *certificate = config_text(config, CONFIG_TLS_CERTIFICATE);
    const char *key = config_text(config, CONFIG_TLS_KEY);

    if ((certificate == NULL) != (key == NULL)) {
        (void)err_set(err, ERR_REFUSED, "", "TLS needs both a certificate and its key");
        return err_hint(err, "Give --tls-certificate and --tls-key.");
    }
    return certificate == NULL || (read_pem(certificate, ret_certificate, err) && read_pem(key, ret_key, err));
}

static enum serve_login
login_kind(const struct config *config)
{
    const char *word = config_text(config, CONFIG_LOGIN);

    if (strcmp(word, "password") == 0)
        return SERVE_PASSWORD;
    return strcmp(word, "proxy") == 0 ? SERVE_PROXY : SERVE_TOKEN;
}

/* The address has a secret: it goes to standard output, not into the log. */
static void
say_address(const char *url)
{
    (void)printf("Open %s\n", url);
    (void)fflush(stdout);
}

static void
on_signal(void *cookie, int number)
{
    (void)number;
    loop_stop(cookie);
}

static int
refuse(const struct err *err)
{
    (void)command_fail(err);
    return EXIT_CONFIG;
}

/* The dashboard and the figures of the database. */
struct board {
    struct figures *figures; /* NULL: they are not exported */
    struct serve *serve;
};

static void
count_to(struct metrics *metrics, enum metric metric, const char *const *labels, int64_t total)
{
    metrics_add(metrics, metric, labels, (double)total - metrics_value(metrics, metric, labels));
}

static void
show_metrics(void *cookie, struct web_request *request)
{
    static const char *const classes[] = {"2xx", "3xx", "4xx", "5xx"};
    struct board *board = cookie;
    struct metrics *metrics = figures_metrics(board->figures);
    struct serve_figures seen;

    serve_measure(board->serve, &seen);
    for (int i = 0; i < (int)LENGTH(classes); i++)
        count_to(metrics, METRIC_DASHBOARD_ANSWERS, METRIC_WITH(classes[i]), seen.answers[i + 2]);
    count_to(metrics, METRIC_DASHBOARD_QUESTIONS, NULL, seen.questions);
    metrics_set(metrics, METRIC_DASHBOARD_SESSIONS, NULL, seen.sessions);
    metrics_set(metrics, METRIC_DASHBOARD_WAITING, NULL, seen.waiting);
    figures_write(board->figures, request);
}

/* Serves until a signal. */
static int
run(struct loop *loop, const struct serve_options *wanted, bool has_figures)
{
    struct serve_options options = *wanted;
    struct err err = {0};
    struct board board = {.figures = has_figures ? figures_new(loop, options.conninfo, "reeve serve metrics") : NULL};

    options.metrics = has_figures ? show_metrics : NULL;
    options.metrics_cookie = &board;
    board.serve = serve_new(loop, &options, &err);
    if (board.serve == NULL) {
        figures_stop(board.figures);
        loop_free(loop);
        figures_free(board.figures);
        return refuse(&err);
    }
    log_event(LOG_INFO, "listening", "address", serve_address(board.serve), NULL);
    loop_on_signal(loop, SIGTERM, on_signal, loop);
    loop_on_signal(loop, SIGINT, on_signal, loop);
    (void)signal(SIGPIPE, SIG_IGN);
    notify_ready();
    loop_run(loop, NULL, NULL);
    notify_stopping();
    serve_stop(board.serve);
    figures_stop(board.figures);
    loop_free(loop);
    serve_free(board.serve);
    figures_free(board.figures);
    log_event(LOG_INFO, "dashboard ended", NULL);
    return EXIT_OK;
}

int
cmd_serve(const struct command *command, const struct config *config)
{
    const char *address = config_text(config, CONFIG_LISTEN);
    struct serve_options options = {
        .address = address == NULL ? "127.0.0.1:8080" : address,
        .conninfo = config_text(config, CONFIG_DATABASE_URL),
        .base_url = config_text(config, CONFIG_BASE_URL),
        .login = login_kind(config),
        .is_read_only = config_is_on(config, CONFIG_READ_ONLY),
        .proxies = config_text(config, CONFIG_PROXY),
        .proxy_header = config_text(config, CONFIG_PROXY_HEADER),
        .proxy_role = config_text(config, CONFIG_PROXY_ROLE),
        .proxy_secret = config_text(config, CONFIG_PROXY_SECRET),
        .session_ms = config_ms(config, CONFIG_SESSION_LENGTH),
        .recheck_ms = config_ms(config, CONFIG_RECHECK),
        .schema_version = bundle_schema_version(),
        .on_address = say_address,
    };
    char *certificate = NULL;
    char *key = NULL;
    struct err err = {0};
    int code;

    (void)command;
    (void)confine_to_threads();
    (void)setenv("PGCONNECT_TIMEOUT", "3", 0);
    db_env_set(options.conninfo);
    if (read_tls(config, &certificate, &key, &err)) {
        options.certificate = certificate;
        options.key = key;
        code = run(loop_new(), &options, config_is_on(config, CONFIG_METRICS));
    } else {
        code = refuse(&err);
    }
    if (key != NULL)
        explicit_bzero(key, strlen(key));
    free(certificate);
    free(key);
    return code;
}
