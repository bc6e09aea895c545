/*
 * Figures of one process, as Prometheus reads them: counters, gauges and histograms.  Every metric is a row of one table
 * (metric_rows), which `reeve metrics list` prints and docs/observability.md repeats.  A metric has at most three labels, and
 * the number of combinations of their values has a bound (BOUND_COUNTER_SERIES and others).  What comes beyond is counted in one
 * more series, whose labels all are "other": sums stay right, and no stranger can fill the memory of Prometheus with names.
 *
 * No system call is made here.  All functions that record take NULL for a process that records nothing.
 */
#ifndef METRICS_METRICS_H
#define METRICS_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"

/* All metrics; the table in metric_rows.c describes each. */
enum metric {
    METRIC_UP,
    METRIC_BUILD_INFO,
    METRIC_START_TIME,
    METRIC_OVERFLOWS,
    METRIC_TASKS_STARTED,
    METRIC_TASKS_COMPLETED,
    METRIC_TASKS_RETRIED,
    METRIC_TASK_WAIT,
    METRIC_TASK_RUN,
    METRIC_CALL,
    METRIC_HANDLER_FAILURES,
    METRIC_CLAIM,
    METRIC_CLAIMED_TASKS,
    METRIC_CLAIMS_FAILED,
    METRIC_LEASES_LOST,
    METRIC_LEASES_RELEASED,
    METRIC_HELD_TASKS,
    METRIC_WORK_CONNECTIONS,
    METRIC_CONNECTIONS_LOST,
    METRIC_PROBE,
    METRIC_OVERDUE,
    METRIC_STALLED,
    METRIC_CHILDREN,
    METRIC_CHILDREN_ENDED,
    METRIC_SPANS_EXPORTED,
    METRIC_SPANS_DROPPED,
    METRIC_QUEUE_READY,
    METRIC_QUEUE_SCHEDULED,
    METRIC_QUEUE_RUNNING,
    METRIC_QUEUE_HANDLER_PENDING,
    METRIC_QUEUE_WAITING,
    METRIC_QUEUE_OLDEST_READY,
    METRIC_QUEUE_PAUSED,
    METRIC_IN_DOUBT,
    METRIC_QUARANTINED,
    METRIC_DEAD_ENDS,
    METRIC_OLDEST_SNAPSHOT,
    METRIC_EXPIRED_LEASES,
    METRIC_WORKERS,
    METRIC_UNSERVED_TYPES,
    METRIC_SCHEDULES,
    METRIC_SCHEDULES_OVERDUE,
    METRIC_SCHEMA_VERSION,
    METRIC_REFRESH,
    METRIC_REFRESH_AGE,
    METRIC_DASHBOARD_ANSWERS,
    METRIC_DASHBOARD_SESSIONS,
    METRIC_DASHBOARD_QUESTIONS,
    METRIC_DASHBOARD_WAITING,
    METRIC_COUNT,
};

/* Counters only grow; gauges are values of the moment; histograms count values by size. */
enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

/* The programs that export a metric.  Figures of the whole database come from one place, so that nobody adds them up. */
enum metric_source { METRIC_OF_WORKER = 1, METRIC_OF_DATABASE = 2, METRIC_OF_BOTH = 3, METRIC_OF_DASHBOARD = 4 };

enum { METRIC_LABELS = 3, METRIC_BUCKETS = 16 };

/* A metric.  All texts are static. */
struct metric_row {
    const char *name; /* as in the text format; counters end in _total */
    enum metric_kind kind;
    enum metric_source source;
    const char *labels[METRIC_LABELS]; /* names of labels; NULL: no more */
    const double *buckets;             /* upper bounds of a histogram, ended by 0; otherwise NULL */
    const char *help;                  /* one sentence */
};

/* The metrics, by their number. */
extern const struct metric_row metric_rows[METRIC_COUNT];

/* The metric with this name; METRIC_COUNT: there is none. */
enum metric metric_find(const char *name);

/* Values of the labels of a series, in the order of the row.  A value is cut to 63 bytes. */
#define METRIC_WITH(...) ((const char *const[METRIC_LABELS]){__VA_ARGS__})

struct metrics;

/* Makes an empty set of series; metrics_free frees it.  NULL is fine for metrics_free. */
struct metrics *metrics_new(void) NODISCARD;
void metrics_free(struct metrics *metrics);

/* Adds to a counter.  Series begin at 0 when they are first named, with an amount of 0 if need be. */
void metrics_add(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double amount);

/* Sets a gauge.  Gauges beyond the bound are put together in the series of the others, so a gauge whose labels are open is
 * cleared before its values are set again. */
void metrics_set(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value);

/* Counts `count` equal values in a histogram.  task_id is an example for the bucket (an exemplar); 0: none. */
void metrics_observe(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value,
    int64_t count, int64_t task_id);

/* Removes the series of a gauge, so that labels that are gone are not exported for ever. */
void metrics_clear(struct metrics *metrics, enum metric metric);

/* The value of a counter or gauge, or the number of values in a histogram; 0 if there is no such series. */
double metrics_value(const struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS]);

/* Formats of an export. */
enum metrics_format { METRICS_PROMETHEUS, METRICS_OPENMETRICS };

/* The format that an Accept header asks for; NULL: there is no header. */
enum metrics_format metrics_format_for(const char *accept);

/* The media type of a format. */
const char *metrics_media_type(enum metrics_format format);

/* Writes all series. */
void metrics_write(const struct metrics *metrics, enum metrics_format format, struct buf *text);

/* Writes the table of metrics in Markdown. */
void metrics_describe(struct buf *text);

#endif
