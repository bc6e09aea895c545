/*
 * reeve work: turns options into a worker.  reeve run does the same, with a carrier.
 */
#include <ctype.h>
#include <errno.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/parse.h"
#include "cli/bundle.h"
#include "cli/channels.h"
#include "cli/command.h"
#include "cli/confine.h"
#include "cli/worker_pages.h"
#include "base/exit.h"
#include "db/db_env.h"
#include "task/worker.h"
#include "trace/trace_export.h"

static bool
is_queue_name(const char *name)
{
    if (!islower((unsigned char)name[0]) || strlen(name) > 63)
        return false;
    for (const char *c = name; *c != '\0'; c++) {
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && strchr("_.-", *c) == NULL)
            return false;
    }
    return true;
}

/* One NAME or NAME:CONCURRENCY; `text` is changed. */
static bool
read_queue(char *text, bool needs_number, struct worker_queue *queue, struct err *err)
{
    char *colon = strchr(text, ':');
    int64_t number = 0;

    if (colon == NULL && needs_number)
        return err_set(err, ERR_REFUSED, "", "queue concurrency \"%s\" is not NAME:CONCURRENCY", text);
    if (colon != NULL) {
        *colon = '\0';
        if (!parse_int(colon + 1, 1, 10000, &number, NULL))
            return err_set(
                err, ERR_REFUSED, "", "concurrency \"%s\" of queue \"%s\" is not a number from 1 to 10000", colon + 1, text);
    }
    if (!is_queue_name(text))
        return err_set(err, ERR_REFUSED, "", "\"%s\" is not the name of a queue", text);
    queue->name = text;
    queue->concurrency = (int)number;
    return true;
}

/* A comma-separated list; names point into `list`. */
static bool
read_queues(char *list, bool needs_number, struct worker_queue *queues, int *count, struct err *err)
{
    char *rest = list;
    char *item;

    while ((item = strsep(&rest, ",")) != NULL) {
        if (item[0] == '\0')
            continue;
        if (*count == BOUND_QUEUES)
            return err_set(err, ERR_LIMIT, "", "more than %d queues", BOUND_QUEUES);
        if (!read_queue(item, needs_number, &queues[*count], err))
            return false;
        (*count)++;
    }
    return true;
}

/* Turns a,b into {"a","b"}.  The names of task types need no escaping. */
static bool
types_literal(const char *list, struct buf *literal, struct err *err)
{
    buf_puts(literal, "{");
    for (const char *c = list; *c != '\0'; c++) {
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_' && *c != ',')
            return err_set(err, ERR_REFUSED, "", "\"%s\" is not a list of task types", list);
    }
    buf_puts(literal, list);
    buf_puts(literal, "}");
    return true;
}

/* `where`: names of the option and of the variables that set the value. */
static int
refuse(struct err *err, const char *where)
{
    (void)err_hint(err, "See %s.", where);
    (void)command_fail(err);
    return EXIT_CONFIG;
}

/* Reads the options again: files may hold other secrets now; flags and environment are unchanged. */
static struct channel_set *
reload_channels(const void *cookie)
{
    struct channel_set *channels = NULL;
    struct config config;
    struct err err;

    if (!config_read_again(cookie, &config, &err) || !channels_read(&config, &channels, &err))
        log_event(LOG_ERROR, "could not reload the settings of channels, the old ones stay", "error", err.message, NULL);
    config_release(&config);
    return channels;
}

/* Logs the channels.  Tasks of a channel that this worker cannot serve wait for one that can. */
static void
say_missing(const struct channel_set *channels)
{
    struct buf served;
    struct buf missing;

    buf_init(&served, 512);
    buf_init(&missing, 1024);
    for (int n = 0; n < channel_count(); n++) {
        const char *provider = channel_provider(channels, n);

        if (provider == NULL && channel_missing(n)[0] == '\0')
            continue; /* reeve work never serves it */
        if (provider == NULL)
            buf_printf(&missing, "%s%s: %s", missing.length == 0 ? "" : "; ", channel_adapter(n), channel_missing(n));
        else
            buf_printf(&served, "%s%s=%s", served.length == 0 ? "" : ",", channel_adapter(n), provider);
    }
    if (missing.length > 0)
        log_event(LOG_WARN, "channels are not configured, their tasks are left to other workers", "hint", missing.text, NULL);
    log_event(LOG_INFO, "channels", "served", served.text, NULL);
    buf_release(&served);
    buf_release(&missing);
}

int
work_with(const struct config *config, const struct carrier *carrier)
{
    const struct channel_options only_programs = {.carries_programs = true};
    struct worker_options options = {
        .conninfo = config_text(config, CONFIG_DATABASE_URL),
        .version = PROGRAM_VERSION,
        .schema_version = bundle_schema_version(),
        .installation = config_text(config, CONFIG_INSTALLATION),
        .concurrency = (int)config_number(config, CONFIG_CONCURRENCY),
        .lease_ms = config_ms(config, CONFIG_LEASE),
        .poll_ms = config_ms(config, CONFIG_POLL_INTERVAL),
        .grace_ms = config_ms(config, CONFIG_STOP_GRACE),
        .lock_timeout_ms = config_ms(config, CONFIG_LOCK_TIMEOUT),
        .idle_log_ms = config_ms(config, CONFIG_IDLE_LOG),
        .stall_ms = config_ms(config, CONFIG_STALL_AFTER),
        .is_single = config_is_on(config, CONFIG_SINGLE_INSTANCE),
        .is_until_empty = config_is_on(config, CONFIG_UNTIL_EMPTY),
        .per_host = carrier != NULL ? 1 : (int)config_number(config, CONFIG_PER_HOST),
        .channel_concurrency = carrier != NULL ? 1 : (int)config_number(config, CONFIG_CHANNEL_CONCURRENCY),
        .handler_timeout_ms = config_ms(config, CONFIG_HANDLER_TIMEOUT),
        .agent = "reeve/" PROGRAM_VERSION,
        .ca_file = config_text(config, CONFIG_CA_FILE),
        .carrier = carrier,
        .reload_channels = carrier != NULL ? NULL : reload_channels,
        .reload_cookie = config,
    };
    struct trace_options trace = {
        .url = config_text(config, CONFIG_TRACE_URL),
        .headers = config_text(config, CONFIG_TRACE_HEADERS),
        .source = {.service = config_text(config, CONFIG_TRACE_SERVICE), .version = PROGRAM_VERSION},
        .agent = options.agent,
        .ca_file = options.ca_file,
    };
    struct http_policy *policy = NULL;
    struct worker_pages pages;
    struct worker_queue *queues = must_alloc(sizeof(*queues) * BOUND_QUEUES);
    char *names = config_text(config, CONFIG_QUEUE) == NULL ? NULL : must_strdup(config_text(config, CONFIG_QUEUE));
    char *limits = config_text(config, CONFIG_QUEUE_CONCURRENCY) == NULL
                       ? NULL
                       : must_strdup(config_text(config, CONFIG_QUEUE_CONCURRENCY));
    struct buf types;
    char host[128] = "host";
    char name[160];
    struct err err;
    int code = EXIT_OK;
    int listed;

    db_env_set(options.conninfo);
    buf_init(&types, 8192);
    (void)gethostname(host, sizeof(host) - 1);
    (void)snprintf(name, sizeof(name), "%s:%d", host, (int)getpid());
    options.name = config_text(config, CONFIG_NAME) == NULL ? name : config_text(config, CONFIG_NAME);
    options.queues = queues;
    if (options.lease_ms < 1000 || options.lease_ms > 86400000) {
        (void)err_set(&err, ERR_REFUSED, "", "lease must be between 1 s and 24 h");
        code = refuse(&err, "--lease, REEVE_LEASE");
    }
    if (code == EXIT_OK && names != NULL && !read_queues(names, false, queues, &options.queue_count, &err))
        code = refuse(&err, "--queue, REEVE_QUEUES");
    listed = options.queue_count;
    if (code == EXIT_OK && limits != NULL && !read_queues(limits, true, queues, &options.queue_count, &err))
        code = refuse(&err, "--queue-concurrency, REEVE_QUEUE_CONCURRENCY, WORKER_QUEUE_CONCURRENCY");
    options.has_other_queues = listed == 0 && options.queue_count > 0;
    if (code == EXIT_OK && carrier == NULL && config_text(config, CONFIG_TYPES) != NULL) {
        if (!types_literal(config_text(config, CONFIG_TYPES), &types, &err))
            code = refuse(&err, "--types, REEVE_TYPES");
        options.types = types.text;
    }
    if (code == EXIT_OK && options.ca_file != NULL && access(options.ca_file, R_OK) != 0) {
        (void)err_set(&err, ERR_REFUSED, "", "cannot read \"%s\": %s", options.ca_file, strerror(errno));
        code = refuse(&err, "--ca-file, REEVE_CA_FILE");
    }
    if (code == EXIT_OK
        && (!channels_read_policy(config, &policy, &err)
            || !(carrier != NULL ? channel_set_new(&only_programs, &options.channels, &err)
                                 : channels_read(config, &options.channels, &err)))) {
        (void)command_fail(&err);
        code = EXIT_CONFIG;
    }
    if (code == EXIT_OK && trace.url != NULL && !trace_options_check(&trace, &err)) {
        (void)command_fail(&err);
        code = EXIT_CONFIG;
    }
    if (code == EXIT_OK) {
        if (carrier == NULL)
            say_missing(options.channels);
        options.policy = policy;
        if (config_text(config, CONFIG_LISTEN) != NULL) {
            options.metrics = metrics_new();
            worker_pages_init(&pages, config_text(config, CONFIG_LISTEN), options.metrics);
            options.guest = &pages.guest;
        }
        if (trace.url != NULL) {
            trace.policy = policy;
            trace.metrics = options.metrics;
            trace.source.instance = options.name;
            options.trace = &trace;
        }
        code = worker_work(&options);
        metrics_free(options.metrics);
    }
    http_policy_free(policy);
    buf_release(&types);
    free(names);
    free(limits);
    free(queues);
    return code;
}

int
cmd_work(const struct command *command, const struct config *config)
{
    (void)command;
    /* Where the kernel has no such filter, the unit file still says what may be executed. */
    (void)confine_to_threads();
    return work_with(config, NULL);
}
