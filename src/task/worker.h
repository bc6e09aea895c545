/*
 * The worker claims tasks, runs them, renews their leases and records their outcomes, until a signal stops it.  It has no
 * business rule: the database decides, and the worker carries out.
 */
#ifndef TASK_WORKER_H
#define TASK_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A queue that the worker serves. */
struct worker_queue {
    const char *name;
    int concurrency; /* tasks of this queue at once in this program; 0: no limit of its own */
};

struct carrier;
struct channel_set;
struct http_policy;
struct loop;
struct metrics;
struct trace_options;
struct worker;

/* Somebody who shares the loop of a worker, such as a server for its figures. */
struct worker_guest {
    bool (*begin)(void *cookie, struct loop *loop, struct worker *worker); /* false: an error was logged; the program ends */
    void (*end)(void *cookie);                                             /* before the loop ends; not called after false */
    void *cookie;
};

/* Options of a worker.  The caller owns all pointers but `channels`; they must outlive the worker. */
struct worker_options {
    const char *conninfo;
    const char *name;                  /* name of the worker in queues.worker_state */
    const char *version;               /* version of the program */
    int schema_version;                /* version of the schema that the program was made for */
    const char *installation;          /* uuid that the database must have; NULL: any */
    const struct worker_queue *queues; /* queues to serve, or with limits of their own */
    int queue_count;                   /* 0: all queues */
    bool has_other_queues;             /* serve all other queues besides those in `queues` */
    const char *types;                 /* array literal of the types to serve; NULL: all that the worker can run */
    int concurrency;                   /* number of work connections */
    int per_host;                      /* calls to one host at once */
    int channel_concurrency;           /* calls of all channels at once */
    struct channel_set *channels;      /* the worker takes ownership */
    const struct carrier *carrier;     /* the worker serves what it carries out, and nothing else; NULL: none */
    const struct http_policy *policy;  /* destinations that calls may have */
    const char *agent;                 /* User-Agent of calls */
    const char *ca_file;               /* certificates to trust instead of the system's; NULL: the system's */
    /* Reads the settings of the channels again.  The worker owns the result.  NULL: they are wrong, and an error was logged. */
    struct channel_set *(*reload_channels)(const void *cookie);
    const void *reload_cookie;
    int64_t lease_ms;                  /* length of a lease */
    int64_t poll_ms;                   /* longest time between two claims */
    int64_t grace_ms;                  /* time that running tasks have to finish after TERM */
    int64_t lock_timeout_ms;           /* longest wait of user code for a lock */
    int64_t handler_timeout_ms;        /* longest run of a channel's handler */
    int64_t idle_log_ms;               /* time between two log lines of an idle worker */
    int64_t stall_ms;                  /* the worker is stalled if a task is due and none was started for so long */
    struct metrics *metrics;           /* figures of the work; NULL: count nothing */
    const struct trace_options *trace; /* where spans are sent; NULL: nowhere */
    const struct worker_guest *guest;  /* NULL: none */
    bool is_single;                    /* one instance at a time */
    bool is_until_empty;               /* end when no task is due */
};

/* Works until a signal stops it, or until no task is due with is_until_empty.  Returns the exit code of the program. */
int worker_work(const struct worker_options *options);

/* The health of a worker, with reasons in words. */
struct worker_health {
    bool is_ready;          /* connected to a database that fits and that answered lately */
    char ready_reason[160]; /* why not; "ok" if it is ready */
    bool is_stalled;        /* a task is due, and the worker has started none for too long */
    char stall_reason[256]; /* what the worker does instead; "ok" if it is not stalled */
    int64_t overdue_ms;     /* time for which a task that the worker could claim is due; 0: none is */
    int64_t stalled_ms;     /* time for which a task was due and none was started; 0: not at all */
};

/* Reads the health.  Only for a worker with metrics, which probes its database. */
void worker_health(const struct worker *worker, struct worker_health *ret_health);

/* Sets the gauges of the metrics to the values of this moment. */
void worker_measure(const struct worker *worker);

#endif
