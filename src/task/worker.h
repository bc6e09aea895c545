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

struct channel_set;
struct http_policy;

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
    const struct http_policy *policy;  /* destinations that calls may have */
    const char *agent;                 /* User-Agent of calls */
    const char *ca_file;               /* certificates to trust instead of the system's; NULL: the system's */
    /* Reads the settings of the channels again.  The worker owns the result.  NULL: they are wrong, and an error was logged. */
    struct channel_set *(*reload_channels)(const void *cookie);
    const void *reload_cookie;
    int64_t lease_ms;           /* length of a lease */
    int64_t poll_ms;            /* longest time between two claims */
    int64_t grace_ms;           /* time that running tasks have to finish after TERM */
    int64_t lock_timeout_ms;    /* longest wait of user code for a lock */
    int64_t handler_timeout_ms; /* longest run of a channel's handler */
    int64_t idle_log_ms;        /* time between two log lines of an idle worker */
    bool is_single;             /* one instance at a time */
    bool is_until_empty;        /* end when no task is due */
};

/* Works until a signal stops it, or until no task is due with is_until_empty.  Returns the exit code of the program. */
int worker_work(const struct worker_options *options);

#endif
