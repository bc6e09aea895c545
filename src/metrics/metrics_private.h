/*
 * The series of a process, for the files of this folder: metrics.c records, metrics_write.c writes.
 */
#ifndef METRICS_METRICS_PRIVATE_H
#define METRICS_METRICS_PRIVATE_H

#include "metrics/metrics.h"

enum { METRIC_VALUE_BYTES = 64 };

/* The values of a histogram. */
struct histogram {
    int64_t counts[METRIC_BUCKETS]; /* values per bucket, not added up; the last used one is +Inf */
    double sum;
    int64_t count;
    int64_t task_ids[METRIC_BUCKETS]; /* examples; 0: none */
    double values[METRIC_BUCKETS];    /* values of the examples */
};

/* One metric with one combination of labels. */
struct series {
    struct series *next; /* the next one of the same metric; owned */
    enum metric metric;
    uint32_t hash;
    char labels[METRIC_LABELS][METRIC_VALUE_BYTES];
    double value;                /* counter or gauge */
    bool is_rest;                /* a gauge that has taken a value beyond the bound */
    struct histogram *histogram; /* owned; NULL: no histogram */
};

/* All series of a process. */
struct metrics {
    struct series *first[METRIC_COUNT]; /* owned */
    struct series *last[METRIC_COUNT];
    int counts[METRIC_COUNT];
    struct series **places; /* hash table; NULL: a free place */
    size_t place_count;     /* a power of two */
    size_t taken;           /* places that are taken */
};

#endif
