/*
 * The worker: claims leased tasks, runs them, renews, records, until it is told to stop.
 * It holds no business rule; the database decides and the worker carries out.
 */
#ifndef TASK_WORKER_H
#define TASK_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct worker_queue {
    const char *name;
    int concurrency; /* tasks of this queue at once in this program; 0: no limit of its own */
};

struct channel_set;
struct http_policy;

struct worker_options {
    const char *conninfo;
    const char *name;         /* shown in queues.worker_state */
    const char *version;      /* of the program */
    int schema_version;       /* that the program was made for */
    const char *installation; /* uuid that the database must have, or NULL */
    const struct worker_queue *queues;
    int queue_count;                  /* 0: all queues */
    bool has_other_queues;            /* besides those listed, serve all others too */
    const char *types;                /* array literal of types asked for, or NULL */
    int concurrency;                  /* work connections */
    int per_host;                     /* calls of one destination of jobs at once */
    int channel_concurrency;          /* calls of providers at once */
    struct channel_set *channels;     /* taken */
    const struct http_policy *policy; /* of what is called */
    const char *agent;                /* User-Agent of calls */
    const char *ca_file;              /* certificates to trust instead of the system's, or NULL */
    /* Read the settings of the channels again: NULL if they are wrong, which has been said. */
    struct channel_set *(*reload_channels)(const void *cookie);
    const void *reload_cookie;
    int64_t lease_ms;
    int64_t poll_ms;
    int64_t grace_ms;
    int64_t lock_timeout_ms;    /* for user code */
    int64_t handler_timeout_ms; /* for handlers of channels */
    int64_t idle_log_ms;
    bool is_single;      /* one instance at a time */
    bool is_until_empty; /* end when nothing is due */
};

/* Work until stopped.  Returns the exit code of the program. */
int worker_run(const struct worker_options *options);

#endif
