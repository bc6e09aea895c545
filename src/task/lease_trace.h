/*
 * What a worker remembers about one lease for its spans.  It is made at the claim, only if the worker exports traces, and
 * belongs to the task until the lease ends.  Then it waits until the worker has asked the database whether the task is traced.
 * Times are of the wall clock, in microseconds since 1970; 0: not yet.
 */
#ifndef TASK_LEASE_TRACE_H
#define TASK_LEASE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct lease_trace {
    struct list node; /* in a list of ended leases */
    int64_t task_id;  /* set at the end, like lease_no, type and queue */
    int32_t lease_no;
    int64_t claimed_us;
    int64_t began_us;    /* a run or an announcement was sent, the last time */
    int64_t prepared_us; /* the announcement or the before step was answered */
    int64_t run_us;      /* start of the run in the database */
    int64_t run_end_us;
    int64_t called_us; /* the call began */
    int64_t called_end_us;
    int64_t reported_us; /* the outcome was sent, the last time */
    int64_t end_us;
    int batch;            /* tasks that ran in the same transaction */
    const char *channel;  /* adapter of a call; static text; NULL: no call */
    bool has_failed;      /* the end is an error */
    bool is_prepared;     /* a command with a before step */
    char outcome[16];     /* how the lease ended */
    char error_class[24]; /* SQLSTATE, or class of a call; empty: none */
    char type[64];
    char queue[64];
};

/* What the database knows about a lease of a sampled task.  Texts are valid during the call. */
struct lease_facts {
    const char *traceparent;
    double waited_s;      /* from the moment at which the task was due until the lease; negative: not known */
    int64_t link_task_id; /* lease to link to; 0: none */
    int32_t link_lease_no;
    int attempt;
    bool has_before;  /* the task has a before handler */
    bool has_success; /* the task has a success handler */
    bool has_error;   /* the task has an error handler */
};

struct trace_export;

/* Makes the spans of an ended lease and gives them to the exporter. */
void lease_trace_export(const struct lease_trace *lease, const struct lease_facts *facts, struct trace_export *export);

#endif
