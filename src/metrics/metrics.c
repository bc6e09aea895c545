/*
 * Series are found by a hash table with open addressing, and written in the order in which they were made, metric by metric.
 */
#include "metrics/metrics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

enum { VALUE_BYTES = 64, FIRST_PLACES = 256 };

struct histogram {
    int64_t counts[METRIC_BUCKETS]; /* values per bucket, not added up; the last used one is +Inf */
    double sum;
    int64_t count;
    int64_t task_ids[METRIC_BUCKETS]; /* examples; 0: none */
    double values[METRIC_BUCKETS];    /* values of the examples */
};

struct series {
    struct series *next; /* the next one of the same metric; owned */
    enum metric metric;
    uint32_t hash;
    char labels[METRIC_LABELS][VALUE_BYTES];
    double value;                /* counter or gauge */
    struct histogram *histogram; /* owned; NULL: no histogram */
};

struct metrics {
    struct series *first[METRIC_COUNT]; /* owned */
    struct series *last[METRIC_COUNT];
    int counts[METRIC_COUNT];
    struct series **places; /* hash table; NULL: a free place */
    size_t place_count;     /* a power of two */
    size_t taken;           /* places that are taken */
};

static uint32_t
hash_of(enum metric metric, const char *const *labels)
{
    uint32_t hash = 2166136261U ^ (uint32_t)metric;

    for (int i = 0; i < METRIC_LABELS && metric_rows[metric].labels[i] != NULL; i++) {
        for (int n = 0; labels[i][n] != '\0' && n < VALUE_BYTES - 1; n++)
            hash = (hash ^ (unsigned char)labels[i][n]) * 16777619U;
        hash = (hash ^ 0xffU) * 16777619U;
    }
    return hash;
}

static bool
is_same(const struct series *series, enum metric metric, uint32_t hash, const char *const *labels)
{
    if (series->hash != hash || series->metric != metric)
        return false;
    for (int i = 0; i < METRIC_LABELS && metric_rows[metric].labels[i] != NULL; i++) {
        if (strncmp(series->labels[i], labels[i], VALUE_BYTES - 1) != 0)
            return false;
    }
    return true;
}

/* The place of the series, or the free place where it would be. */
static struct series **
place_of(const struct metrics *metrics, enum metric metric, uint32_t hash, const char *const *labels)
{
    size_t at = hash & (metrics->place_count - 1);

    while (metrics->places[at] != NULL && !is_same(metrics->places[at], metric, hash, labels))
        at = (at + 1) & (metrics->place_count - 1);
    return &metrics->places[at];
}

/* Fills a table of this size with all series. */
static void
rehash(struct metrics *metrics, size_t place_count)
{
    free(metrics->places);
    metrics->places = must_alloc(place_count * sizeof(struct series *));
    metrics->place_count = place_count;
    metrics->taken = 0;
    for (int i = 0; i < METRIC_COUNT; i++) {
        for (struct series *series = metrics->first[i]; series != NULL; series = series->next) {
            size_t at = series->hash & (place_count - 1);

            while (metrics->places[at] != NULL)
                at = (at + 1) & (place_count - 1);
            metrics->places[at] = series;
            metrics->taken++;
        }
    }
}

struct metrics *
metrics_new(void)
{
    struct metrics *metrics = must_alloc(sizeof(*metrics));

    rehash(metrics, FIRST_PLACES);
    return metrics;
}

static void
free_series(struct metrics *metrics, enum metric metric)
{
    while (metrics->first[metric] != NULL) {
        struct series *series = metrics->first[metric];

        metrics->first[metric] = series->next;
        free(series->histogram);
        free(series);
    }
    metrics->last[metric] = NULL;
    metrics->counts[metric] = 0;
}

void
metrics_free(struct metrics *metrics)
{
    if (metrics == NULL)
        return;
    for (int i = 0; i < METRIC_COUNT; i++)
        free_series(metrics, (enum metric)i);
    free(metrics->places);
    free(metrics);
}

void
metrics_clear(struct metrics *metrics, enum metric metric)
{
    if (metrics == NULL || metrics->first[metric] == NULL)
        return;
    free_series(metrics, metric);
    rehash(metrics, metrics->place_count);
}

static struct series *
add_series(struct metrics *metrics, enum metric metric, uint32_t hash, const char *const *labels)
{
    struct series *series = must_alloc(sizeof(*series));

    series->metric = metric;
    series->hash = hash;
    for (int i = 0; i < METRIC_LABELS && metric_rows[metric].labels[i] != NULL; i++)
        (void)snprintf(series->labels[i], VALUE_BYTES, "%s", labels[i]);
    if (metric_rows[metric].kind == METRIC_HISTOGRAM)
        series->histogram = must_alloc(sizeof(*series->histogram));
    if (metrics->last[metric] == NULL)
        metrics->first[metric] = series;
    else
        metrics->last[metric]->next = series;
    metrics->last[metric] = series;
    metrics->counts[metric]++;
    return series;
}

/* The series with these labels, made if need be; beyond the bound, the series of the others. */
static struct series *
series_for(struct metrics *metrics, enum metric metric, const char *const *labels)
{
    static const char *const others[METRIC_LABELS] = {"other", "other", "other"};
    uint32_t hash = hash_of(metric, labels);
    struct series **place = place_of(metrics, metric, hash, labels);

    if (*place == NULL && metrics->counts[metric] >= BOUND_SERIES) {
        metrics_add(metrics, METRIC_OVERFLOWS, NULL, 1);
        labels = others;
        hash = hash_of(metric, labels);
        place = place_of(metrics, metric, hash, labels);
    }
    if (*place != NULL)
        return *place;
    if (metrics->taken * 2 >= metrics->place_count) {
        rehash(metrics, metrics->place_count * 2);
        place = place_of(metrics, metric, hash, labels);
    }
    metrics->taken++;
    *place = add_series(metrics, metric, hash, labels);
    return *place;
}

void
metrics_add(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double amount)
{
    if (metrics == NULL)
        return;
    assert(metric_rows[metric].kind == METRIC_COUNTER && amount >= 0);
    series_for(metrics, metric, labels)->value += amount;
}

void
metrics_set(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value)
{
    if (metrics == NULL)
        return;
    assert(metric_rows[metric].kind == METRIC_GAUGE);
    series_for(metrics, metric, labels)->value = value;
}

void
metrics_observe(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value, int64_t count,
    int64_t task_id)
{
    struct histogram *histogram;
    int bucket = 0;

    if (metrics == NULL || count < 1)
        return;
    assert(metric_rows[metric].kind == METRIC_HISTOGRAM);
    value = value < 0 ? 0 : value;
    histogram = series_for(metrics, metric, labels)->histogram;
    while (metric_rows[metric].buckets[bucket] != 0 && value > metric_rows[metric].buckets[bucket])
        bucket++;
    assert(bucket < METRIC_BUCKETS);
    histogram->counts[bucket] += count;
    histogram->count += count;
    histogram->sum += value * (double)count;
    if (task_id != 0) {
        histogram->task_ids[bucket] = task_id;
        histogram->values[bucket] = value;
    }
}

double
metrics_value(const struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS])
{
    const struct series *series = *place_of(metrics, metric, hash_of(metric, labels), labels);

    if (series == NULL)
        return 0;
    return series->histogram != NULL ? (double)series->histogram->count : series->value;
}

/* --- text -------------------------------------------------------------------------------- */

/* A weight in thousandths.  One that is no number from 0 to 1 counts as 0. */
static int
weight_from(const char *text)
{
    double weight = strtod(text, NULL);

    return weight >= 0 && weight <= 1 ? (int)(weight * 1000) : 0;
}

/* Finds a media type in an Accept header: its weight in thousandths; -1: it is not there. */
static int
weight_of(const char *accept, const char *type)
{
    size_t length = strlen(type);
    int best = -1;

    for (const char *item = accept; item != NULL && *item != '\0';) {
        const char *end = item + strcspn(item, ",");
        const char *q;
        int weight = 1000;

        item += strspn(item, " \t");
        if (strncasecmp(item, type, length) == 0 && strchr(" \t;,", item[length]) != NULL) {
            for (q = item; q < end && strncasecmp(q, "q=", 2) != 0; q++)
                continue;
            if (q < end)
                weight = weight_from(q + 2);
            best = weight > best ? weight : best;
        }
        item = *end == ',' ? end + 1 : NULL;
    }
    return best;
}

enum metrics_format
metrics_format_for(const char *accept)
{
    int open = accept == NULL ? -1 : weight_of(accept, "application/openmetrics-text");

    return open > 0 && open >= weight_of(accept, "text/plain") ? METRICS_OPENMETRICS : METRICS_PROMETHEUS;
}

const char *
metrics_media_type(enum metrics_format format)
{
    return format == METRICS_OPENMETRICS ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                         : "text/plain; version=0.0.4; charset=utf-8";
}

static void
add_escaped(struct buf *text, const char *value, bool has_quotes)
{
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '\n')
            buf_puts(text, "\\n");
        else if (*c == '\\' || (*c == '"' && has_quotes))
            buf_printf(text, "\\%c", *c);
        else
            buf_add(text, c, 1);
    }
}

/* Counters are whole numbers as a rule, and exact up to 2^53. */
static void
add_number(struct buf *text, double value)
{
    if (value > -9e15 && value < 9e15 && value == (double)(int64_t)value)
        buf_printf(text, "%lld", (long long)value);
    else
        buf_printf(text, "%.15g", value);
}

/* Writes name{labels} and a space; `bucket` is the value of the label le, NULL: none. */
static void
add_name(struct buf *text, const struct series *series, const char *name, const char *ending, const char *bucket)
{
    const struct metric_row *row = &metric_rows[series->metric];
    const char *separator = "{";

    buf_printf(text, "%s%s", name, ending);
    for (int i = 0; i < METRIC_LABELS && row->labels[i] != NULL; i++) {
        buf_printf(text, "%s%s=\"", separator, row->labels[i]);
        add_escaped(text, series->labels[i], true);
        buf_puts(text, "\"");
        separator = ",";
    }
    if (bucket != NULL) {
        buf_printf(text, "%sle=\"%s\"", separator, bucket);
        separator = ",";
    }
    buf_puts(text, *separator == '{' ? " " : "} ");
}

/* Writes the buckets, the sum and the number of a histogram. */
static void
add_histogram(struct buf *text, const struct series *series, enum metrics_format format)
{
    const struct metric_row *row = &metric_rows[series->metric];
    const struct histogram *histogram = series->histogram;
    int64_t so_far = 0;

    for (int i = 0; i == 0 || row->buckets[i - 1] != 0; i++) {
        char bound[32];
        bool is_last = row->buckets[i] == 0;

        (void)snprintf(bound, sizeof(bound), "%.10g%s", row->buckets[i],
            format == METRICS_OPENMETRICS && row->buckets[i] == (double)(int64_t)row->buckets[i] ? ".0" : "");
        so_far += histogram->counts[i];
        add_name(text, series, row->name, "_bucket", is_last ? "+Inf" : bound);
        buf_printf(text, "%lld", (long long)so_far);
        if (format == METRICS_OPENMETRICS && histogram->task_ids[i] != 0)
            buf_printf(text, " # {task_id=\"%lld\"} %.9g", (long long)histogram->task_ids[i], histogram->values[i]);
        buf_puts(text, "\n");
    }
    add_name(text, series, row->name, "_sum", NULL);
    buf_printf(text, "%.9g\n", histogram->sum);
    add_name(text, series, row->name, "_count", NULL);
    buf_printf(text, "%lld\n", (long long)histogram->count);
}

/* Writes the lines about a metric.  OpenMetrics names a counter without its ending. */
static void
add_head(struct buf *text, const struct metric_row *row, enum metrics_format format)
{
    static const char *const kinds[] = {"counter", "gauge", "histogram"};
    int length = (int)strlen(row->name);

    if (format == METRICS_OPENMETRICS && row->kind == METRIC_COUNTER)
        length -= (int)strlen("_total");
    buf_printf(text, "# HELP %.*s ", length, row->name);
    add_escaped(text, row->help, format == METRICS_OPENMETRICS);
    buf_printf(text, "\n# TYPE %.*s %s\n", length, row->name, kinds[row->kind]);
    if (format == METRICS_OPENMETRICS && length > 8 && strcmp(row->name + length - 8, "_seconds") == 0)
        buf_printf(text, "# UNIT %.*s seconds\n", length, row->name);
}

void
metrics_write(const struct metrics *metrics, enum metrics_format format, struct buf *text)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (metrics->first[i] != NULL)
            add_head(text, &metric_rows[i], format);
        for (const struct series *series = metrics->first[i]; series != NULL; series = series->next) {
            if (series->histogram != NULL) {
                add_histogram(text, series, format);
                continue;
            }
            add_name(text, series, metric_rows[i].name, "", NULL);
            add_number(text, series->value);
            buf_puts(text, "\n");
        }
    }
    if (format == METRICS_OPENMETRICS)
        buf_puts(text, "# EOF\n");
}
