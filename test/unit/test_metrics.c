/* Series, their bound, and both text formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "metrics/metrics.h"

static char *
written(const struct metrics *metrics, enum metrics_format format, struct buf *text)
{
    buf_init(text, BOUND_PAGE_BYTES);
    metrics_write(metrics, format, text);
    assert_false(text->overflowed);
    return text->text;
}

static void
counters_gauges_and_histograms_are_written(void **state)
{
    struct metrics *metrics = metrics_new();
    struct buf text;

    (void)state;
    metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH("default", "db_function", "succeeded"), 2);
    metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH("default", "db_function", "succeeded"), 1);
    metrics_set(metrics, METRIC_UP, NULL, 0.5);
    metrics_set(metrics, METRIC_OVERDUE, NULL, -1234567890);
    metrics_set(metrics, METRIC_STALLED, NULL, 0);
    metrics_observe(metrics, METRIC_TASK_RUN, METRIC_WITH("db_function"), 0.02, 3, 184);
    metrics_observe(metrics, METRIC_TASK_RUN, METRIC_WITH("db_function"), 1e9, 1, 185);
    (void)written(metrics, METRICS_PROMETHEUS, &text);
    assert_non_null(strstr(text.text, "# TYPE reeve_tasks_completed_total counter\n"));
    assert_non_null(
        strstr(text.text, "reeve_tasks_completed_total{queue=\"default\",type=\"db_function\",outcome=\"succeeded\"} 3\n"));
    assert_non_null(strstr(text.text, "reeve_up 0.5\n"));
    assert_non_null(strstr(text.text, "reeve_overdue_seconds -1234567890\n"));
    assert_non_null(strstr(text.text, "reeve_stalled_seconds 0\n"));
    assert_non_null(strstr(text.text, "reeve_task_run_seconds_bucket{type=\"db_function\",le=\"0.01\"} 0\n"));
    assert_non_null(strstr(text.text, "reeve_task_run_seconds_bucket{type=\"db_function\",le=\"0.05\"} 3\n"));
    assert_non_null(strstr(text.text, "reeve_task_run_seconds_bucket{type=\"db_function\",le=\"3600\"} 3\n"));
    assert_non_null(strstr(text.text, "reeve_task_run_seconds_bucket{type=\"db_function\",le=\"+Inf\"} 4\n"));
    assert_non_null(strstr(text.text, "reeve_task_run_seconds_count{type=\"db_function\"} 4\n"));
    assert_null(strstr(text.text, "184"));
    assert_null(strstr(text.text, "# EOF"));
    buf_release(&text);
    (void)written(metrics, METRICS_OPENMETRICS, &text);
    assert_non_null(strstr(text.text, "# TYPE reeve_tasks_completed counter\n"));
    assert_non_null(strstr(text.text, "# UNIT reeve_task_run_seconds seconds\n"));
    assert_non_null(strstr(text.text, "le=\"0.05\"} 3 # {task_id=\"184\"} 0.02\n"));
    assert_non_null(strstr(text.text, "le=\"1.0\"} 3\n"));
    assert_string_equal(text.text + text.length - 6, "# EOF\n");
    buf_release(&text);
    metrics_free(metrics);
}

static void
values_of_labels_are_escaped(void **state)
{
    struct metrics *metrics = metrics_new();
    struct buf text;

    (void)state;
    metrics_set(metrics, METRIC_QUEUE_READY, METRIC_WITH("a\"b\\c\nd"), 1);
    (void)written(metrics, METRICS_PROMETHEUS, &text);
    assert_non_null(strstr(text.text, "reeve_queue_ready{queue=\"a\\\"b\\\\c\\nd\"} 1\n"));
    buf_release(&text);
    metrics_free(metrics);
}

static void
series_beyond_the_bound_are_counted_together(void **state)
{
    struct metrics *metrics = metrics_new();
    char queue[32];

    (void)state;
    for (int i = 0; i < BOUND_COUNTER_SERIES + 10; i++) {
        (void)snprintf(queue, sizeof(queue), "q%d", i);
        metrics_add(metrics, METRIC_LEASES_LOST, METRIC_WITH(queue), 1);
    }
    assert_true(metrics_value(metrics, METRIC_LEASES_LOST, METRIC_WITH("other")) == 10);
    assert_true(metrics_value(metrics, METRIC_OVERFLOWS, NULL) == 10);
    assert_true(metrics_value(metrics, METRIC_LEASES_LOST, METRIC_WITH("q19999")) == 1);
    assert_true(metrics_value(metrics, METRIC_LEASES_LOST, METRIC_WITH("q20000")) == 0);
    metrics_add(metrics, METRIC_LEASES_LOST, METRIC_WITH("q7"), 1); /* A series that exists is not affected. */
    assert_true(metrics_value(metrics, METRIC_LEASES_LOST, METRIC_WITH("q7")) == 2);
    metrics_free(metrics);
}

/* The whole database has more queues than a gauge has series. */
static void
set_queues(struct metrics *metrics)
{
    char queue[32];

    for (int i = 0; i < BOUND_GAUGE_SERIES + 3; i++) {
        (void)snprintf(queue, sizeof(queue), "q%d", i);
        metrics_set(metrics, METRIC_QUEUE_READY, METRIC_WITH(queue), 10);
        metrics_set(metrics, METRIC_QUEUE_OLDEST_READY, METRIC_WITH(queue), i == BOUND_GAUGE_SERIES + 1 ? 50 : 20);
        metrics_set(metrics, METRIC_QUEUE_PAUSED, METRIC_WITH(queue), i != BOUND_GAUGE_SERIES + 1);
    }
}

static void
gauges_beyond_the_bound_are_put_together(void **state)
{
    struct metrics *metrics = metrics_new();

    (void)state;
    for (int round = 0; round < 2; round++) {
        set_queues(metrics);
        assert_true(metrics_value(metrics, METRIC_QUEUE_READY, METRIC_WITH("other")) == 30);
        assert_true(metrics_value(metrics, METRIC_QUEUE_OLDEST_READY, METRIC_WITH("other")) == 50);
        assert_true(metrics_value(metrics, METRIC_QUEUE_PAUSED, METRIC_WITH("other")) == 0);
        metrics_clear(metrics, METRIC_QUEUE_READY);
        metrics_clear(metrics, METRIC_QUEUE_OLDEST_READY);
        metrics_clear(metrics, METRIC_QUEUE_PAUSED);
    }
    metrics_free(metrics);
}

/* 100 queues with 50 types each, all of whose tasks succeed and fail. */
static void
a_large_site_stays_below_the_bound(void **state)
{
    struct metrics *metrics = metrics_new();
    struct buf text;
    char queue[16];
    char type[16];

    (void)state;
    for (int i = 0; i < 100 * 50; i++) {
        (void)snprintf(queue, sizeof(queue), "queue_%d", i / 50);
        (void)snprintf(type, sizeof(type), "type_%d", i % 50);
        metrics_add(metrics, METRIC_TASKS_STARTED, METRIC_WITH(queue, type), 1);
        metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "succeeded"), 1);
        metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "failed"), 1);
        metrics_add(metrics, METRIC_TASKS_COMPLETED, METRIC_WITH(queue, type, "quarantined"), 1);
        metrics_observe(metrics, METRIC_TASK_WAIT, METRIC_WITH(queue), 1, 1, i);
        metrics_observe(metrics, METRIC_TASK_RUN, METRIC_WITH(type), 1, 1, i);
    }
    assert_true(metrics_value(metrics, METRIC_OVERFLOWS, NULL) == 0);
    (void)written(metrics, METRICS_OPENMETRICS, &text);
    buf_release(&text);
    metrics_free(metrics);
}

static void
gauges_can_be_cleared(void **state)
{
    struct metrics *metrics = metrics_new();

    (void)state;
    metrics_set(metrics, METRIC_QUEUE_READY, METRIC_WITH("gone"), 1);
    metrics_set(metrics, METRIC_QUEUE_RUNNING, METRIC_WITH("gone"), 2);
    metrics_clear(metrics, METRIC_QUEUE_READY);
    assert_true(metrics_value(metrics, METRIC_QUEUE_READY, METRIC_WITH("gone")) == 0);
    assert_true(metrics_value(metrics, METRIC_QUEUE_RUNNING, METRIC_WITH("gone")) == 2);
    metrics_free(metrics);
}

static void
nothing_is_recorded_without_a_set(void **state)
{
    (void)state;
    metrics_add(NULL, METRIC_LEASES_LOST, METRIC_WITH("q"), 1);
    metrics_set(NULL, METRIC_UP, NULL, 1);
    metrics_observe(NULL, METRIC_CLAIM, NULL, 1, 1, 0);
    metrics_clear(NULL, METRIC_UP);
    metrics_free(NULL);
}

static void
the_accept_header_chooses_the_format(void **state)
{
    (void)state;
    assert_int_equal(metrics_format_for(NULL), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("*/*"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("text/html"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
                                        "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
        METRICS_OPENMETRICS);
    assert_int_equal(metrics_format_for("text/plain, application/openmetrics-text;q=0.5"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("application/openmetrics-text;q=0"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("application/openmetrics-textual"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for(", ,;q=,"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("application/openmetrics-text;q=1e300"), METRICS_PROMETHEUS);
    assert_int_equal(metrics_format_for("application/openmetrics-text, text/plain;q=3000000"), METRICS_OPENMETRICS);
    assert_int_equal(metrics_format_for("application/openmetrics-text;q=nan"), METRICS_PROMETHEUS);
}

/* Names follow the rules of Prometheus: counters end in _total, others do not, units are seconds. */
static void
names_follow_the_rules(void **state)
{
    (void)state;
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_row *row = &metric_rows[i];
        size_t length = strlen(row->name);
        bool is_total = length > 6 && strcmp(row->name + length - 6, "_total") == 0;
        int buckets = 0;

        assert_true(strncmp(row->name, "reeve_", 6) == 0);
        assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz_"), length);
        assert_int_equal(is_total, row->kind == METRIC_COUNTER);
        assert_int_equal(row->kind == METRIC_HISTOGRAM, row->buckets != NULL);
        assert_null(strstr(row->name, "_ms"));
        assert_non_null(strchr(row->help, '.'));
        assert_int_equal(metric_find(row->name), i);
        for (; row->buckets != NULL && row->buckets[buckets] != 0; buckets++)
            assert_true(buckets == 0 || row->buckets[buckets] > row->buckets[buckets - 1]);
        assert_true(buckets < METRIC_BUCKETS);
    }
    assert_int_equal(metric_find("reeve_nothing"), METRIC_COUNT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_gauges_and_histograms_are_written),
        cmocka_unit_test(values_of_labels_are_escaped),
        cmocka_unit_test(series_beyond_the_bound_are_counted_together),
        cmocka_unit_test(gauges_beyond_the_bound_are_put_together),
        cmocka_unit_test(a_large_site_stays_below_the_bound),
        cmocka_unit_test(gauges_can_be_cleared),
        cmocka_unit_test(nothing_is_recorded_without_a_set),
        cmocka_unit_test(the_accept_header_chooses_the_format),
        cmocka_unit_test(names_follow_the_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
