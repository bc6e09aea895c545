/*
 * Traces: ids of spans, and spans as OTLP/HTTP JSON.  A task carries the traceparent of its enqueuer (W3C Trace Context, version
 * 00).  Each lease of a traced task becomes a few spans.
 *
 * The id of a span follows from the trace, the task, the lease and the part of the work: the first eight bytes of a SHA-256.  So
 * the id of a call is known when the call leaves, and an attempt can link to the one before it, without any state.
 *
 * No system call is made here, and a span never has a payload, an address or a secret.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"

/* Lengths of texts, with their NUL. */
enum { TRACE_ID_SIZE = 33, TRACE_SPAN_SIZE = 17, TRACE_PARENT_SIZE = 56 };

/* A span of somebody, as a traceparent names it. */
struct trace_context {
    char trace_id[TRACE_ID_SIZE];  /* 32 hexadecimal digits */
    char span_id[TRACE_SPAN_SIZE]; /* 16 hexadecimal digits */
    bool is_sampled;               /* somebody wants the spans of this trace */
};

/* Reads a traceparent.  False: NULL, or no traceparent of version 00; *ret_context is unchanged. */
NODISCARD bool trace_read(const char *traceparent, struct trace_context *ret_context);

/* Parts of the work of one lease; each is a span. */
enum trace_part {
    TRACE_TASK,    /* all of it, from the moment at which the task was due */
    TRACE_WAIT,    /* from that moment until the claim */
    TRACE_BEFORE,  /* the before handler of a call, or the before step of a command */
    TRACE_RUN,     /* the work in the database */
    TRACE_CALL,    /* the call to the outside */
    TRACE_HANDLER, /* the handler after the call */
};

/* Writes the id of a span to ret_id. */
void trace_span_id(const char *trace_id, int64_t task_id, int32_t lease_no, enum trace_part part, char ret_id[TRACE_SPAN_SIZE]);

/* Writes the traceparent that names a part of this lease as the parent of what follows; its trace is sampled. */
void trace_write_parent(
    const char *trace_id, int64_t task_id, int32_t lease_no, enum trace_part part, char ret_parent[TRACE_PARENT_SIZE]);

/* A finished span.  All texts belong to the caller; NULL: the attribute is left out. */
struct trace_span {
    const char *trace_id;
    int64_t task_id;
    int32_t lease_no;
    enum trace_part part;
    const char *parent_id;   /* the enqueuer's span for TRACE_TASK, whose span is the parent of the other parts */
    int64_t start_us;        /* microseconds since 1970 */
    int64_t end_us;          /* the same; an end before the start counts as the start */
    const char *type;        /* task type: the name of TRACE_TASK */
    const char *queue;       /* TRACE_TASK only */
    const char *outcome;     /* TRACE_TASK only */
    const char *error_class; /* SQLSTATE, or class of a call */
    bool has_failed;         /* the status of the span is an error */
    int attempt;             /* TRACE_TASK only: number of the attempt, from 1 */
    const char *channel;     /* TRACE_CALL only: adapter */
    int batch;            /* TRACE_RUN only: tasks in the same transaction, whose mean is the length of the span; 0 or 1: alone */
    int64_t link_task_id; /* TRACE_TASK only: task of the attempt or run before, in the same trace; 0: none */
    int32_t link_lease_no; /* lease of that task */
};

/* Adds the span to a list of spans in JSON, with a comma before it unless the list is empty. */
void trace_write_span(struct buf *json, const struct trace_span *span);

/* Who sends the spans.  Texts belong to the caller. */
struct trace_source {
    const char *service;  /* service.name */
    const char *instance; /* service.instance.id: name of the worker */
    const char *version;  /* version of the program */
};

/* Adds an ExportTraceServiceRequest with this list of spans. */
void trace_write_request(struct buf *json, const struct trace_source *source, const char *spans);

#endif
