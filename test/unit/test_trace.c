/* Traceparents, ids of spans, and spans as OTLP/JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"
#include "trace/trace.h"

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define SPAN "b7ad6b7169203331"

static void
a_traceparent_is_read_strictly(void **state)
{
    static const char *const wrong[] = {"", "00-" TRACE "-" SPAN "-0", "00-" TRACE "-" SPAN "-011", "01-" TRACE "-" SPAN "-01",
        "00-0AF7651916CD43DD8448EB211C80319C-" SPAN "-01", "00-00000000000000000000000000000000-" SPAN "-01",
        "00-" TRACE "-0000000000000000-01", "00-" TRACE "_" SPAN "-01", "00-" TRACE "-" SPAN "_01", "00-" TRACE "-" SPAN "-0g",
        "00-" TRACE "0" SPAN "-01", "00-" TRACE "-" SPAN "-01-more"};
    struct trace_context context = {0};

    (void)state;
    assert_false(trace_read(NULL, &context));
    for (size_t i = 0; i < LENGTH(wrong); i++)
        assert_false(trace_read(wrong[i], &context));
    assert_string_equal(context.trace_id, "");
    assert_true(trace_read("00-" TRACE "-" SPAN "-01", &context));
    assert_string_equal(context.trace_id, TRACE);
    assert_string_equal(context.span_id, SPAN);
    assert_true(context.is_sampled);
    assert_true(trace_read("00-" TRACE "-" SPAN "-02", &context));
    assert_false(context.is_sampled);
    assert_true(trace_read("00-" TRACE "-" SPAN "-ff", &context));
    assert_true(context.is_sampled);
}

/* Another program, or a later version of this one, must find the same ids. */
static void
ids_follow_from_the_lease_and_the_part(void **state)
{
    char id[TRACE_SPAN_SIZE];
    char other[TRACE_SPAN_SIZE];
    char parent[TRACE_PARENT_SIZE];

    (void)state;
    trace_span_id(TRACE, 184, 2, TRACE_CALL, id);
    assert_string_equal(id, "2d2111ab5aa9c8be");
    trace_span_id(TRACE, 184, 1, TRACE_CALL, other);
    assert_string_not_equal(id, other);
    trace_span_id(TRACE, 184, 2, TRACE_TASK, other);
    assert_string_not_equal(id, other);
    trace_span_id("1af7651916cd43dd8448eb211c80319c", 184, 2, TRACE_CALL, other);
    assert_string_not_equal(id, other);
    trace_write_parent(TRACE, 184, 2, TRACE_CALL, parent);
    assert_string_equal(parent, "00-" TRACE "-2d2111ab5aa9c8be-01");
}

static struct trace_span
span_of(enum trace_part part)
{
    return (struct trace_span){.trace_id = TRACE,
        .task_id = 184,
        .lease_no = 2,
        .part = part,
        .parent_id = SPAN,
        .start_us = 1767225600000001,
        .end_us = 1767225600000003,
        .type = "db_function",
        .queue = "a\"b",
        .outcome = "failed",
        .error_class = "P0001",
        .has_failed = true,
        .attempt = 3,
        .channel = "http",
        .batch = 7,
        .link_task_id = 180,
        .link_lease_no = 1};
}

static void
a_span_is_written_whole(void **state)
{
    struct trace_span span = span_of(TRACE_TASK);
    char id[TRACE_SPAN_SIZE];
    char link[TRACE_SPAN_SIZE];
    char *expected;
    struct buf json;

    (void)state;
    buf_init(&json, 10000);
    trace_write_span(&json, &span);
    trace_span_id(TRACE, 184, 2, TRACE_TASK, id);
    trace_span_id(TRACE, 180, 1, TRACE_TASK, link);
    expected = must_format(
        "{\"traceId\":\"" TRACE "\",\"spanId\":\"%s\",\"parentSpanId\":\"" SPAN "\",\"name\":\"db_function\",\"kind\":5,"
        "\"startTimeUnixNano\":\"1767225600000001000\",\"endTimeUnixNano\":\"1767225600000003000\",\"attributes\":["
        "{\"key\":\"reeve.task_id\",\"value\":{\"intValue\":\"184\"}},{\"key\":\"reeve.lease_no\",\"value\":{\"intValue\":\"2\"}}"
        ","
        "{\"key\":\"messaging.system\",\"value\":{\"stringValue\":\"reeve\"}},"
        "{\"key\":\"messaging.operation.type\",\"value\":{\"stringValue\":\"process\"}},"
        "{\"key\":\"messaging.destination.name\",\"value\":{\"stringValue\":\"a\\\"b\"}},"
        "{\"key\":\"messaging.message.id\",\"value\":{\"stringValue\":\"184\"}},"
        "{\"key\":\"reeve.task_type\",\"value\":{\"stringValue\":\"db_function\"}},"
        "{\"key\":\"reeve.attempt\",\"value\":{\"intValue\":\"3\"}},{\"key\":\"reeve.outcome\",\"value\":{\"stringValue\":"
        "\"failed\"}},"
        "{\"key\":\"error.type\",\"value\":{\"stringValue\":\"P0001\"}}],"
        "\"links\":[{\"traceId\":\"" TRACE "\",\"spanId\":\"%s\",\"attributes\":["
        "{\"key\":\"reeve.task_id\",\"value\":{\"intValue\":\"180\"}}]}],\"status\":{\"code\":2}}",
        id, link);
    assert_string_equal(json.text, expected);
    free(expected);
    buf_release(&json);
}

/* Parts have only what is theirs. */
static void
parts_are_written_without_what_belongs_to_the_whole(void **state)
{
    static const struct {
        enum trace_part part;
        const char *name;
        int kind;
        const char *attribute;
    } parts[] = {{TRACE_WAIT, "wait", 1, NULL}, {TRACE_BEFORE, "before handler", 1, NULL}, {TRACE_RUN, "run", 1, "reeve.batch"},
        {TRACE_CALL, "call", 3, "reeve.channel"}, {TRACE_HANDLER, "handler", 1, NULL}};
    (void)state;
    for (size_t i = 0; i < LENGTH(parts); i++) {
        struct trace_span span = span_of(parts[i].part);
        struct buf text;
        json_t *json;

        buf_init(&text, 10000);
        span.has_failed = false;
        span.end_us = span.start_us - 5; /* the clock was set back */
        trace_write_span(&text, &span);
        json = json_loads(text.text, 0, NULL);
        assert_non_null(json);
        assert_string_equal(json_string_value(json_object_get(json, "name")), parts[i].name);
        assert_int_equal(json_integer_value(json_object_get(json, "kind")), parts[i].kind);
        assert_string_equal(json_string_value(json_object_get(json, "parentSpanId")), SPAN);
        assert_string_equal(json_string_value(json_object_get(json, "endTimeUnixNano")),
            json_string_value(json_object_get(json, "startTimeUnixNano")));
        assert_null(json_object_get(json, "links"));
        assert_null(json_object_get(json, "status"));
        assert_int_equal(json_array_size(json_object_get(json, "attributes")), parts[i].attribute == NULL ? 2 : 3);
        assert_true(parts[i].attribute == NULL || strstr(text.text, parts[i].attribute) != NULL);
        json_decref(json);
        buf_release(&text);
    }
}

static void
a_request_holds_the_list(void **state)
{
    const struct trace_source source = {.service = "sh\"op", .instance = "host:1", .version = "0.1"};
    struct trace_span span = span_of(TRACE_RUN);
    struct buf spans;
    struct buf request;
    json_t *json;

    (void)state;
    buf_init(&spans, 10000);
    buf_init(&request, 20000);
    trace_write_span(&spans, &span);
    trace_write_span(&spans, &span);
    trace_write_request(&request, &source, spans.text);
    json = json_loads(request.text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    assert_non_null(strstr(request.text, "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"sh\\\"op\"}}"));
    assert_non_null(strstr(request.text, "{\"key\":\"service.instance.id\",\"value\":{\"stringValue\":\"host:1\"}}"));
    assert_non_null(strstr(request.text, "\"scope\":{\"name\":\"reeve\",\"version\":\"0.1\"}"));
    json_decref(json);
    buf_release(&spans);
    buf_release(&request);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_traceparent_is_read_strictly),
        cmocka_unit_test(ids_follow_from_the_lease_and_the_part),
        cmocka_unit_test(a_span_is_written_whole),
        cmocka_unit_test(parts_are_written_without_what_belongs_to_the_whole),
        cmocka_unit_test(a_request_holds_the_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
