/*
 * The pages of a worker: /metrics, /livez, /readyz and /progressz, on the loop of the worker.
 */
#ifndef CLI_WORKER_PAGES_H
#define CLI_WORKER_PAGES_H

#include "base/buf.h"
#include "metrics/metrics.h"
#include "task/worker.h"
#include "web/web_server.h"

/* What the pages need.  The caller sets `address` and `metrics`; the rest belongs to the functions of `guest`. */
struct worker_pages {
    const char *address;     /* HOST:PORT to listen on */
    struct metrics *metrics; /* figures of the worker */
    struct worker *worker;
    struct web_server *server;
    struct worker_guest guest; /* to be passed to the worker */
};

/* Fills `guest`.  `pages` must outlive the worker. */
void worker_pages_init(struct worker_pages *pages, const char *address, struct metrics *metrics);

/* Sets the figures that never change: version and start time. */
void pages_describe_program(struct metrics *metrics);

/* Answers with the metrics in the format that the Accept header asks for. */
void pages_write_metrics(const struct metrics *metrics, struct web_request *request);

/* Answers 200 or 503 with a reason. */
void pages_write_health(struct web_answer *answer, bool is_good, const char *reason);

/* Listens and says so in the log; NULL: `address` cannot be used, and the log says why. */
struct web_server *pages_listen(struct loop *loop, const char *address, web_answer_fn *answer, void *cookie);

#endif
