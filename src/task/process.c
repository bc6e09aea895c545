/*
 * The process around a worker: its loop, its signals, its limit of descriptors.
 */
#include <signal.h>
#include <sys/resource.h>

#include "task/worker_private.h"

/* Number of calls at once for which there are file descriptors.  A call needs two: it may try two addresses, or look up a
 * name beside a connection that is kept.  The process raises its limit of descriptors to the maximum. */
static int
calls_for_descriptors(const struct worker_options *options)
{
    int64_t calls = options->channel_concurrency;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return (int)calls;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};

        if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
            limit = raised;
    }
    if (options->carrier != NULL)
        return 0; /* The carrier says how many calls it takes. */
    if (limit.rlim_cur < (rlim_t)(2 * calls + options->concurrency + BOUND_OWN_DESCRIPTORS)) {
        calls = ((int64_t)limit.rlim_cur - options->concurrency - BOUND_OWN_DESCRIPTORS) / 2;
        calls = calls < 1 ? 1 : calls;
        log_event(LOG_WARN, "too few descriptors: fewer calls at once than asked for", "descriptors", LOG_I64(limit.rlim_cur),
            "calls", LOG_I64(calls), "asked", LOG_I64(options->channel_concurrency), NULL);
    } else {
        log_event(
            LOG_INFO, "descriptors suffice for all calls", "descriptors", LOG_I64(limit.rlim_cur), "calls", LOG_I64(calls), NULL);
    }
    return (int)calls;
}

int
worker_work(const struct worker_options *options)
{
    int calls = calls_for_descriptors(options);
    struct loop *loop = loop_new();
    struct worker *worker = worker_new(loop, options, calls);
    int exit_code;
    bool has_guest;

    loop_on_signal(loop, SIGTERM, worker_on_stop_signal, worker);
    loop_on_signal(loop, SIGINT, worker_on_stop_signal, worker);
    loop_on_signal(loop, SIGHUP, worker_on_hup, worker);
    loop_on_signal(loop, SIGUSR1, worker_on_usr1, worker);
    (void)signal(SIGPIPE, SIG_IGN);
    has_guest = options->guest != NULL && options->guest->begin(options->guest->cookie, loop, worker);
    if (options->guest == NULL || has_guest)
        loop_run(loop, worker_pass, worker);
    else
        worker->exit_code = EXIT_CONFIG;
    worker_forget_calls(worker);
    if (options->carrier != NULL && options->carrier->stop != NULL && !options->carrier->stop(options->carrier->self)) {
        timer_stop(worker->stop_timer);
        loop_run(loop, NULL, NULL);
    }
    exit_code = worker->exit_code;
    if (has_guest)
        options->guest->end(options->guest->cookie);
    log_event(LOG_INFO, "worker ended", "done", LOG_I64(worker->tasks_done), "exit_code", LOG_I64(exit_code), NULL);
    worker_free(worker);
    if (options->carrier != NULL && options->carrier->end != NULL)
        options->carrier->end(options->carrier->self);
    loop_free(loop);
    return exit_code;
}
