/* The exporter: its settings, its bounds, and what it counts.  test/e2e/test_traces.py shows it at work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/bounds.h"
#include "http/http_policy.h"
#include "trace/trace_export.h"

static const struct trace_span span = {.trace_id = "0af7651916cd43dd8448eb211c80319c",
    .task_id = 1,
    .lease_no = 1,
    .part = TRACE_RUN,
    .parent_id = "b7ad6b7169203331",
    .start_us = 1,
    .end_us = 2,
    .type = "noop"};

static bool
is_fine(const char *url, const char *headers, struct err *err)
{
    return trace_options_check(&(const struct trace_options){.url = url, .headers = headers}, err);
}

static void
settings_are_checked_and_errors_tell_no_secret(void **state)
{
    struct err err = {0};

    (void)state;
    assert_true(is_fine("http://127.0.0.1:4318", NULL, &err));
    assert_true(is_fine("https://collector.example/otlp/", "", &err));
    assert_true(is_fine("https://collector.example/v1/traces", "a=b, c-d = e%20f=g ,", &err));
    assert_false(is_fine("127.0.0.1:4318", NULL, &err));
    assert_false(is_fine("ftp://x/", NULL, &err));
    assert_false(is_fine("https://x/?canary", NULL, &err));
    assert_null(strstr(err.message, "canary"));
    assert_false(is_fine("https://x/", "a=b,canary", &err));
    assert_non_null(strstr(err.message, "header 2"));
    assert_null(strstr(err.message, "canary"));
    assert_false(is_fine("https://x/", "a=canary%0a", &err));
    assert_null(strstr(err.message, "canary"));
    assert_false(is_fine("https://x/", "a b=canary", &err));
    assert_null(strstr(err.message, "canary"));
}

static double
dropped(const struct metrics *metrics, const char *reason)
{
    return metrics_value(metrics, METRIC_SPANS_DROPPED, METRIC_WITH(reason));
}

static void
the_buffer_is_bounded(void **state)
{
    struct loop *loop = loop_new();
    struct metrics *metrics = metrics_new();
    struct http_policy *policy = NULL;
    struct err err;
    struct trace_options options = {.url = "http://127.0.0.1:1", .source = {"s", "i", "v"}, .agent = "test", .metrics = metrics};
    struct trace_export *export;
    int most = BOUND_SPAN_BATCHES * BOUND_SPAN_BATCH;

    (void)state;
    assert_true(http_policy_new(&(const struct http_policy_options){0}, &policy, &err));
    options.policy = policy;
    export = trace_export_new(loop, &options);
    assert_true(trace_export_flush(export));
    for (int i = 0; i < most + 10; i++)
        trace_export_add(export, &span);
    assert_true(dropped(metrics, "full") == 10);
    trace_export_dropped(export, "unasked", 3);
    assert_true(dropped(metrics, "unasked") == 3);
    assert_false(trace_export_flush(export));
    trace_export_free(export);
    assert_true(dropped(metrics, "stopped") == most);
    assert_true(metrics_value(metrics, METRIC_SPANS_EXPORTED, NULL) == 0);
    trace_export_free(NULL);
    http_policy_free(policy);
    metrics_free(metrics);
    loop_free(loop);
}

/* Nobody listens there: the batch is tried again, and then dropped. */
static void
on_pass(void *cookie)
{
    if (dropped(((void **)cookie)[1], "unreachable") > 0)
        loop_stop(((void **)cookie)[0]);
}

static void
a_batch_that_nobody_takes_is_dropped_after_some_tries(void **state)
{
    struct loop *loop = loop_new();
    struct metrics *metrics = metrics_new();
    struct http_policy *policy = NULL;
    struct err err;
    struct trace_options options = {.url = "http://127.0.0.1:1", .source = {"s", "i", "v"}, .agent = "test", .metrics = metrics};
    struct trace_export *export;
    void *both[] = {loop, metrics};

    (void)state;
    assert_true(http_policy_new(&(const struct http_policy_options){0}, &policy, &err));
    options.policy = policy;
    export = trace_export_new(loop, &options);
    for (int i = 0; i < BOUND_SPAN_BATCH; i++)
        trace_export_add(export, &span);
    loop_run(loop, on_pass, both);
    assert_true(dropped(metrics, "unreachable") == BOUND_SPAN_BATCH);
    assert_true(trace_export_flush(export));
    trace_export_free(export);
    assert_true(dropped(metrics, "stopped") == 0);
    http_policy_free(policy);
    metrics_free(metrics);
    loop_free(loop);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_checked_and_errors_tell_no_secret),
        cmocka_unit_test(the_buffer_is_bounded),
        cmocka_unit_test(a_batch_that_nobody_takes_is_dropped_after_some_tries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
