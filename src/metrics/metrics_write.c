/*
 * The text of an export.  A page may have tens of thousands of lines and must be written within milliseconds, so the lines are
 * put together from pieces without printf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/metrics_private.h"

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
    const char *special = has_quotes ? "\n\\\"" : "\n\\";

    while (*value != '\0') {
        size_t plain = strcspn(value, special);

        buf_add(text, value, plain);
        value += plain;
        if (*value != '\0') {
            buf_puts(text, "\\");
            buf_add(text, *value == '\n' ? "n" : value, 1);
            value++;
        }
    }
}

static void
add_integer(struct buf *text, int64_t value)
{
    char digits[24];
    char *end = digits + sizeof(digits);
    char *first = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--first = '-';
    buf_add(text, first, (size_t)(end - first));
}

/* Counters are whole numbers as a rule, and exact up to 2^53. */
static void
add_number(struct buf *text, double value)
{
    if (value > -9e15 && value < 9e15 && value == (double)(int64_t)value)
        add_integer(text, (int64_t)value);
    else
        buf_printf(text, "%.15g", value);
}

/* Writes name{labels} and a space; `bucket` is the value of the label le, NULL: none. */
static void
add_name(struct buf *text, const struct series *series, const char *name, const char *ending, const char *bucket)
{
    const struct metric_row *row = &metric_rows[series->metric];
    const char *separator = "{";

    buf_puts(text, name);
    buf_puts(text, ending);
    for (int i = 0; i < METRIC_LABELS && row->labels[i] != NULL; i++) {
        buf_puts(text, separator);
        buf_puts(text, row->labels[i]);
        buf_puts(text, "=\"");
        add_escaped(text, series->labels[i], true);
        buf_puts(text, "\"");
        separator = ",";
    }
    if (bucket != NULL) {
        buf_puts(text, separator);
        buf_puts(text, "le=\"");
        buf_puts(text, bucket);
        buf_puts(text, "\"");
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
        add_integer(text, so_far);
        if (format == METRICS_OPENMETRICS && histogram->task_ids[i] != 0)
            buf_printf(text, " # {task_id=\"%lld\"} %.9g", (long long)histogram->task_ids[i], histogram->values[i]);
        buf_puts(text, "\n");
    }
    add_name(text, series, row->name, "_sum", NULL);
    buf_printf(text, "%.9g\n", histogram->sum);
    add_name(text, series, row->name, "_count", NULL);
    add_integer(text, histogram->count);
    buf_puts(text, "\n");
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
