/*
 * The exporter sends finished spans to a collector by OTLP/HTTP, as JSON, on the loop and with an HTTP client of its own.  Spans
 * are collected in batches: a batch leaves when it is full, or BOUND_SPAN_MS after its first span.  One request is under way at a
 * time.  A collector that cannot be reached, or that answers 429 or 5xx, gets the batch again after a pause, BOUND_SPAN_TRIES
 * times in all.
 *
 * Traces must never hold up the work.  There are at most BOUND_SPAN_BATCHES batches; spans that come beyond, and batches that
 * cannot be delivered, are dropped and counted:
 *
 *     full         the batches are full, because the collector is slow or away
 *     unreachable  the collector did not take the batch, the last time it was tried
 *     refused      the collector answered with another status: it will never take the batch
 *     stopped      the worker ended first
 *     unasked      ended leases of which the worker could not ask whether they are traced; most of them may not be
 */
#ifndef TRACE_TRACE_EXPORT_H
#define TRACE_TRACE_EXPORT_H

#include "base/err.h"
#include "loop/loop.h"
#include "metrics/metrics.h"
#include "trace/trace.h"

struct http_policy;
struct trace_export;

/* Options of an exporter.  The caller owns all texts; they must outlive it. */
struct trace_options {
    const char *url;            /* endpoint of the collector; /v1/traces is added unless the URL ends with it */
    const char *headers;        /* headers for the collector, as NAME=VALUE,...; values may be percent-encoded; NULL: none */
    struct trace_source source; /* who sends the spans */
    const char *agent;          /* User-Agent */
    const char *ca_file;        /* certificates to trust instead of the system's; NULL: the system's */
    const struct http_policy *policy; /* for the client; the collector itself is exempt, because an administrator configured it */
    struct metrics *metrics;          /* where spans are counted; NULL: nowhere */
};

/* Can the URL and the headers be used?  False: no, as `err` says, without the value of a header. */
NODISCARD bool trace_options_check(const struct trace_options *options, struct err *err);

/* Makes an exporter of options that were checked; trace_export_free frees it. */
struct trace_export *trace_export_new(struct loop *loop, const struct trace_options *options) NODISCARD;

/* Adds a finished span. */
void trace_export_add(struct trace_export *export, const struct trace_span *span);

/* Counts spans that were lost before they could be added; `reason` is one of the words above. */
void trace_export_dropped(struct trace_export *export, const char *reason, int count);

/* Sends what there is without waiting for more.  True: there is nothing left.  False: ask again in a later pass. */
NODISCARD bool trace_export_flush(struct trace_export *export);

/* Drops what is left, and frees the exporter.  NULL is fine. */
void trace_export_free(struct trace_export *export);

#endif
