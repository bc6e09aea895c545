#include "trace/trace_export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/log.h"
#include "http/http_client.h"

static const char path[] = "/v1/traces";

/* Spans that are sent together. */
struct batch {
    struct buf spans; /* list in JSON */
    int count;        /* spans */
    int tries;        /* requests that failed */
};

struct trace_export {
    const struct trace_options *options;
    struct loop *loop;
    struct http_client *client;
    struct http_transfer *transfer; /* request with the first batch; NULL: none */
    struct timer *timer;            /* time of the next request */
    struct batch batches[BOUND_SPAN_BATCHES];
    int count;             /* batches in use; the last one is being filled */
    int64_t due_ms;        /* time at which the last batch leaves even if it is not full */
    int64_t not_before_ms; /* after a failure: time of the next request */
    int64_t pause_ms;      /* pause after the next failure; 0: the last request was fine */
    int64_t failed_ms;     /* time of the first failure since the last request that was fine */
};

/* --- options ------------------------------------------------------------------------------- */

static int
hex_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

/* Replaces %41 by A, in place. */
static void
decode(char *text)
{
    char *to = text;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '%' && hex_value(c[1]) >= 0 && hex_value(c[2]) >= 0) {
            *to++ = (char)(hex_value(c[1]) * 16 + hex_value(c[2]));
            c += 2;
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
}

/* Removes spaces at both ends, in place; returns the new begin. */
static char *
trim(char *text)
{
    char *end;

    text += strspn(text, " \t");
    end = text + strlen(text);
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    return text;
}

/* Adds one header, NAME=VALUE.  The text is changed.  An error has no value, which may be a secret. */
static bool
add_header(struct http_request *request, char *item, int number, struct err *err)
{
    char *value = strchr(item, '=');
    char *name;
    struct err inner;

    if (value == NULL)
        return err_set(err, ERR_REFUSED, "", "header %d for the collector of traces is not NAME=VALUE", number);
    *value++ = '\0';
    name = trim(item);
    value = trim(value);
    decode(value);
    if (!http_request_header(request, name, value, &inner))
        return err_set(err, ERR_REFUSED, "", "header %d for the collector of traces cannot be used", number);
    return true;
}

static bool
add_headers(struct http_request *request, const char *list, struct err *err)
{
    char *copy;
    char *rest;
    char *item;
    int number = 0;
    bool is_fine = true;

    if (list == NULL)
        return true;
    copy = must_strdup(list);
    rest = copy;
    while (is_fine && (item = strsep(&rest, ",")) != NULL) {
        number++;
        if (trim(item)[0] != '\0')
            is_fine = add_header(request, item, number, err);
    }
    explicit_bzero(copy, strlen(list));
    free(copy);
    return is_fine;
}

/* The URL that takes traces, below the endpoint.  The caller frees it. */
static char *
url_of(const char *endpoint)
{
    size_t length = strlen(endpoint);
    size_t end = sizeof(path) - 1;

    while (length > 0 && endpoint[length - 1] == '/')
        length--;
    if (length >= end && strncmp(endpoint + length - end, path, end) == 0)
        return must_format("%.*s", (int)length, endpoint);
    return must_format("%.*s%s", (int)length, endpoint, path);
}

static bool
make_request(const struct trace_options *options, struct http_request *request, struct err *err)
{
    char *url = url_of(options->url);
    bool is_fine;

    http_request_init(request);
    http_request_start(request, "POST", url, true);
    free(url);
    is_fine = add_headers(request, options->headers, err)
              && http_request_header(request, "Content-Type", "application/json", err);
    request->is_repeatable = true;
    request->timeout_ms = BOUND_SPAN_CALL_MS;
    return is_fine;
}

bool
trace_options_check(const struct trace_options *options, struct err *err)
{
    struct http_request request;
    char host[256];
    bool is_fine;

    if (!http_url_host(options->url, host, sizeof(host)) || strpbrk(options->url, "?#") != NULL)
        return err_set(err, ERR_REFUSED, "", "the URL of the collector of traces is not an http or https URL without a query")
               || err_hint(err, "See --trace-url, REEVE_TRACE_URL, OTEL_EXPORTER_OTLP_ENDPOINT.");
    is_fine = make_request(options, &request, err);
    http_request_release(&request);
    return is_fine || err_hint(err, "See REEVE_TRACE_HEADERS, OTEL_EXPORTER_OTLP_HEADERS.");
}

/* --- batches ------------------------------------------------------------------------------- */

void
trace_export_dropped(struct trace_export *export, const char *reason, int count)
{
    metrics_add(export->options->metrics, METRIC_SPANS_DROPPED, METRIC_WITH(reason), count);
}

static void
remove_first(struct trace_export *export)
{
    buf_release(&export->batches[0].spans);
    export->count--;
    memmove(&export->batches[0], &export->batches[1], (size_t) export->count * sizeof(export->batches[0]));
}

static void
drop_first(struct trace_export *export, const char *reason)
{
    trace_export_dropped(export, reason, export->batches[0].count);
    remove_first(export);
}

/* Sets the timer for the next request. */
static void
wait(struct trace_export *export)
{
    int64_t now_ms = loop_now_ms(export->loop);
    int64_t at_ms = export->count > 1 || export->batches[0].count >= BOUND_SPAN_BATCH ? now_ms : export->due_ms;

    if (export->transfer != NULL || export->count == 0)
        return;
    if (at_ms < export->not_before_ms)
        at_ms = export->not_before_ms;
    timer_start(export->timer, at_ms - now_ms);
}

void
trace_export_add(struct trace_export *export, const struct trace_span *span)
{
    struct batch *last = export->count == 0 ? NULL : &export->batches[export->count - 1];

    /* The batch that is under way is not changed. */
    if (last == NULL || last->count >= BOUND_SPAN_BATCH || last->spans.length > BOUND_SPANS_BYTES / 2
        || (export->transfer != NULL && export->count == 1)) {
        if (export->count == BOUND_SPAN_BATCHES) {
            trace_export_dropped(export, "full", 1);
            return;
        }
        last = &export->batches[export->count++];
        *last = (struct batch){0};
        buf_init(&last->spans, BOUND_SPANS_BYTES);
        export->due_ms = loop_now_ms(export->loop) + BOUND_SPAN_MS;
    }
    trace_write_span(&last->spans, span);
    last->count++;
    if (last->count == 1 || last->count == BOUND_SPAN_BATCH)
        wait(export);
}

/* --- requests ------------------------------------------------------------------------------ */

/* The collector may take the batch later. */
static bool
is_passing(const struct http_answer *answer)
{
    return answer->end == HTTP_UNSENT || answer->end == HTTP_IN_DOUBT || answer->status == 429 || answer->status >= 500;
}

/* The first failure is logged, and the end of the failures. */
static void
say(struct trace_export *export, const struct http_answer *answer, bool is_fine)
{
    int64_t now_ms = loop_now_ms(export->loop);

    if (is_fine && export->failed_ms != 0)
        log_event(
            LOG_INFO, "the collector takes spans again", "after_s", LOG_DBL((double)(now_ms - export->failed_ms) / 1000), NULL);
    else if (!is_fine)
        log_event(export->failed_ms == 0 ? LOG_WARN : LOG_DEBUG, "the collector does not take spans, they will be dropped",
            "status", LOG_I64(answer->status), "error", answer->problem == NULL ? "" : answer->problem, NULL);
    if (is_fine)
        export->failed_ms = 0;
    else if (export->failed_ms == 0)
        export->failed_ms = now_ms;
}

static void
on_answer(void *cookie, const struct http_answer *answer)
{
    struct trace_export *export = cookie;
    bool is_fine = answer->end == HTTP_ANSWERED && answer->status >= 200 && answer->status < 300;

    export->transfer = NULL;
    say(export, answer, is_fine);
    if (is_fine) {
        export->pause_ms = 0;
        metrics_add(export->options->metrics, METRIC_SPANS_EXPORTED, NULL, export->batches[0].count);
        remove_first(export);
    } else {
        export->pause_ms = export->pause_ms == 0 ? BOUND_SPAN_PAUSE_MS : export->pause_ms * 2;
        if (export->pause_ms > BOUND_SPAN_PAUSE_MOST_MS)
            export->pause_ms = BOUND_SPAN_PAUSE_MOST_MS;
        if (!is_passing(answer))
            drop_first(export, "refused");
        else if (++export->batches[0].tries >= BOUND_SPAN_TRIES)
            drop_first(export, "unreachable");
    }
    export->not_before_ms = loop_now_ms(export->loop) + export->pause_ms;
    wait(export);
}

static void
send_first(struct trace_export *export)
{
    struct http_request request;
    struct buf body;
    struct err err;

    if (!make_request(export->options, &request, &err))
        abort(); /* The options were checked. */
    buf_init(&body, BOUND_SPANS_BYTES + 4096);
    trace_write_request(&body, &export->options->source, export->batches[0].spans.text);
    http_request_body(&request, body.text, body.length);
    buf_release(&body);
    timer_stop(export->timer);
    export->transfer = http_send(export->client, &request, on_answer, export);
}

static void
on_timer(void *cookie)
{
    struct trace_export *export = cookie;

    if (export->count > 0 && export->transfer == NULL)
        send_first(export);
}

bool
trace_export_flush(struct trace_export *export)
{
    if (export->count > 0 && export->transfer == NULL && loop_now_ms(export->loop) >= export->not_before_ms)
        send_first(export);
    return export->count == 0;
}

struct trace_export *
trace_export_new(struct loop *loop, const struct trace_options *options)
{
    struct trace_export *export = must_alloc(sizeof(*export));
    struct http_client_options client = {
        .policy = options->policy,
        .agent = options->agent,
        .ca_file = options->ca_file,
        .connections = 2,
    };

    export->options = options;
    export->loop = loop;
    export->client = http_client_new(loop, &client);
    export->timer = timer_new(loop, on_timer, export);
    metrics_add(options->metrics, METRIC_SPANS_EXPORTED, NULL, 0);
    return export;
}

void
trace_export_free(struct trace_export *export)
{
    int left = 0;

    if (export == NULL)
        return;
    for (int i = 0; i < export->count; i++)
        left += export->batches[i].count;
    if (left > 0)
        log_event(LOG_WARN, "spans dropped, the worker ended before the collector took them", "spans", LOG_I64(left), NULL);
    while (export->count > 0)
        drop_first(export, "stopped");
    timer_close(export->timer);
    http_client_free(export->client);
    free(export);
}
