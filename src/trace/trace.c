#include "trace/trace.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* Kinds of spans and codes of a status, as numbers of OTLP. */
enum { KIND_INTERNAL = 1, KIND_CLIENT = 3, KIND_CONSUMER = 5, STATUS_ERROR = 2 };

static const struct {
    const char *name; /* NULL: the type of the task */
    int kind;
} parts[] = {
    [TRACE_TASK] = {NULL, KIND_CONSUMER},
    [TRACE_WAIT] = {"wait", KIND_INTERNAL},
    [TRACE_BEFORE] = {"before handler", KIND_INTERNAL},
    [TRACE_RUN] = {"run", KIND_INTERNAL},
    [TRACE_CALL] = {"call", KIND_CLIENT},
    [TRACE_HANDLER] = {"handler", KIND_INTERNAL},
};

/* Reads `count` hexadecimal digits in lower case, of which one is not 0. */
static bool
read_id(const char *text, size_t count, char *ret_id)
{
    if (strspn(text, "0123456789abcdef") != count || strspn(text, "0") == count)
        return false;
    memcpy(ret_id, text, count);
    ret_id[count] = '\0';
    return true;
}

bool
trace_read(const char *traceparent, struct trace_context *ret_context)
{
    struct trace_context context;

    if (traceparent == NULL || strlen(traceparent) != TRACE_PARENT_SIZE - 1 || strncmp(traceparent, "00-", 3) != 0
        || traceparent[35] != '-' || traceparent[52] != '-' || strspn(traceparent + 53, "0123456789abcdef") != 2
        || !read_id(traceparent + 3, TRACE_ID_SIZE - 1, context.trace_id)
        || !read_id(traceparent + 36, TRACE_SPAN_SIZE - 1, context.span_id))
        return false;
    context.is_sampled = strchr("13579bdf", traceparent[54]) != NULL;
    *ret_context = context;
    return true;
}

void
trace_span_id(const char *trace_id, int64_t task_id, int32_t lease_no, enum trace_part part, char ret_id[TRACE_SPAN_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    static EVP_MD *sha256; /* fetched once, and never freed: to fetch it takes longer than to use it */
    char text[128];
    unsigned char hash[EVP_MAX_MD_SIZE];
    int length = snprintf(text, sizeof(text), "%s %" PRId64 " %" PRId32 " %d", trace_id, task_id, lease_no, (int)part);

    if (sha256 == NULL)
        sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (sha256 == NULL || EVP_Digest(text, (size_t)length, hash, NULL, sha256, NULL) != 1)
        abort();
    for (size_t i = 0; i < 8; i++) {
        ret_id[2 * i] = digits[hash[i] >> 4];
        ret_id[2 * i + 1] = digits[hash[i] & 15];
    }
    ret_id[TRACE_SPAN_SIZE - 1] = '\0';
}

void
trace_write_parent(
    const char *trace_id, int64_t task_id, int32_t lease_no, enum trace_part part, char ret_parent[TRACE_PARENT_SIZE])
{
    char span_id[TRACE_SPAN_SIZE];

    trace_span_id(trace_id, task_id, lease_no, part, span_id);
    (void)snprintf(ret_parent, TRACE_PARENT_SIZE, "00-%.32s-%.16s-01", trace_id, span_id);
}

/* The functions of buf.h that take no format are several times as fast. */
static void
add_key(struct buf *json, const char *key, const char *kind)
{
    buf_puts(json, ",{\"key\":\"");
    buf_puts(json, key);
    buf_puts(json, "\",\"value\":{\"");
    buf_puts(json, kind);
    buf_puts(json, "\":");
}

static void
add_text(struct buf *json, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    add_key(json, key, "stringValue");
    buf_json(json, value);
    buf_puts(json, "}}");
}

/* Whole numbers are texts in the JSON form of OTLP. */
static void
add_number(struct buf *json, const char *key, int64_t value)
{
    add_key(json, key, "intValue");
    buf_printf(json, "\"%" PRId64 "\"}}", value);
}

static void
add_attributes(struct buf *json, const struct trace_span *span)
{
    char id[24];

    (void)snprintf(id, sizeof(id), "%" PRId64, span->task_id);
    /* The first attribute has no comma before it. */
    buf_puts(json, "{\"key\":\"reeve.task_id\",\"value\":{\"intValue\":\"");
    buf_puts(json, id);
    buf_puts(json, "\"}}");
    add_number(json, "reeve.lease_no", span->lease_no);
    if (span->part == TRACE_TASK) {
        add_text(json, "messaging.system", "reeve");
        add_text(json, "messaging.operation.type", "process");
        add_text(json, "messaging.destination.name", span->queue);
        add_text(json, "messaging.message.id", id);
        add_text(json, "reeve.task_type", span->type);
        add_number(json, "reeve.attempt", span->attempt);
        add_text(json, "reeve.outcome", span->outcome);
    }
    if (span->part == TRACE_CALL)
        add_text(json, "reeve.channel", span->channel);
    if (span->part == TRACE_RUN && span->batch > 1)
        add_number(json, "reeve.batch", span->batch);
    if (span->has_failed)
        add_text(json, "error.type", span->error_class);
}

static void
add_link(struct buf *json, const struct trace_span *span)
{
    char id[TRACE_SPAN_SIZE];

    if (span->part != TRACE_TASK || span->link_task_id == 0)
        return;
    trace_span_id(span->trace_id, span->link_task_id, span->link_lease_no, TRACE_TASK, id);
    buf_printf(json, ",\"links\":[{\"traceId\":\"%s\",\"spanId\":\"%s\",\"attributes\":[", span->trace_id, id);
    buf_printf(json, "{\"key\":\"reeve.task_id\",\"value\":{\"intValue\":\"%" PRId64 "\"}}]}]", span->link_task_id);
}

void
trace_write_span(struct buf *json, const struct trace_span *span)
{
    const char *name = parts[span->part].name == NULL ? span->type : parts[span->part].name;
    int64_t end_us = span->end_us < span->start_us ? span->start_us : span->end_us;
    char id[TRACE_SPAN_SIZE];

    trace_span_id(span->trace_id, span->task_id, span->lease_no, span->part, id);
    buf_printf(json, "%s{\"traceId\":\"%s\",\"spanId\":\"%s\",\"parentSpanId\":\"%s\",\"name\":", json->length == 0 ? "" : ",",
        span->trace_id, id, span->parent_id);
    buf_json(json, name);
    buf_printf(json,
        ",\"kind\":%d,\"startTimeUnixNano\":\"%" PRId64 "000\",\"endTimeUnixNano\":\"%" PRId64 "000\",\"attributes\":[",
        parts[span->part].kind, span->start_us, end_us);
    add_attributes(json, span);
    buf_puts(json, "]");
    add_link(json, span);
    if (span->has_failed)
        buf_printf(json, ",\"status\":{\"code\":%d}", STATUS_ERROR);
    buf_puts(json, "}");
}

void
trace_write_request(struct buf *json, const struct trace_source *source, const char *spans)
{
    buf_puts(json, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":");
    buf_json(json, source->service);
    buf_puts(json, "}}");
    add_text(json, "service.version", source->version);
    add_text(json, "service.instance.id", source->instance);
    buf_puts(json, "]},\"scopeSpans\":[{\"scope\":{\"name\":\"reeve\",\"version\":");
    buf_json(json, source->version);
    buf_puts(json, "},\"spans\":[");
    buf_puts(json, spans);
    buf_puts(json, "]}]}]}");
}
