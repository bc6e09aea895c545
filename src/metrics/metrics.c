/*
 * Series are found by a hash table with open addressing, and written in the order in which they were made, metric by metric.
 */
#include "metrics/metrics_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/err.h"

enum { FIRST_PLACES = 256 };

static uint32_t
hash_of(enum metric metric, const char *const *labels)
{
    uint32_t hash = 2166136261U ^ (uint32_t)metric;

    for (int i = 0; i < METRIC_LABELS && metric_rows[metric].labels[i] != NULL; i++) {
        for (int n = 0; labels[i][n] != '\0' && n < METRIC_VALUE_BYTES - 1; n++)
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
        if (strncmp(series->labels[i], labels[i], METRIC_VALUE_BYTES - 1) != 0)
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
        (void)snprintf(series->labels[i], METRIC_VALUE_BYTES, "%s", labels[i]);
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

/* The number of series that a metric may have. */
static int
bound_of(enum metric metric)
{
    static const int bounds[] = {[METRIC_COUNTER] = BOUND_COUNTER_SERIES,
        [METRIC_GAUGE] = BOUND_GAUGE_SERIES,
        [METRIC_HISTOGRAM] = BOUND_HISTOGRAM_SERIES};

    return bounds[metric_rows[metric].kind];
}

/* The series with these labels, made if need be; beyond the bound, the series of the others. */
static struct series *
series_for(struct metrics *metrics, enum metric metric, const char *const *labels, bool *ret_is_rest)
{
    static const char *const others[METRIC_LABELS] = {"other", "other", "other"};
    uint32_t hash = hash_of(metric, labels);
    struct series **place = place_of(metrics, metric, hash, labels);

    *ret_is_rest = *place == NULL && metrics->counts[metric] >= bound_of(metric);
    if (*ret_is_rest) {
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
    bool is_rest;

    if (metrics == NULL)
        return;
    assert(metric_rows[metric].kind == METRIC_COUNTER && amount >= 0);
    series_for(metrics, metric, labels, &is_rest)->value += amount;
}

/* The value of two gauges together: of ages the oldest, of marks 1 if all are marked, otherwise the sum. */
static double
together(enum metric metric, double one, double two)
{
    if (metric == METRIC_QUEUE_OLDEST_READY)
        return one > two ? one : two;
    if (metric == METRIC_QUEUE_PAUSED)
        return one < two ? one : two;
    return one + two;
}

void
metrics_set(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value)
{
    struct series *series;
    bool is_rest;

    if (metrics == NULL)
        return;
    assert(metric_rows[metric].kind == METRIC_GAUGE);
    series = series_for(metrics, metric, labels, &is_rest);
    series->value = is_rest && series->is_rest ? together(metric, series->value, value) : value;
    series->is_rest = is_rest;
}

void
metrics_observe(struct metrics *metrics, enum metric metric, const char *const labels[METRIC_LABELS], double value, int64_t count,
    int64_t task_id)
{
    struct histogram *histogram;
    int bucket = 0;
    bool is_rest;

    if (metrics == NULL || count < 1)
        return;
    assert(metric_rows[metric].kind == METRIC_HISTOGRAM);
    value = value < 0 ? 0 : value;
    histogram = series_for(metrics, metric, labels, &is_rest)->histogram;
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
