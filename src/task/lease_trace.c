/*
 * A traced lease: its times, which the other parts of the worker report while the lease lasts, and its spans.
 */
#include "task/lease_trace.h"

#include <string.h>

#include "base/outside.h"
#include "task/worker_private.h"
#include "trace/trace_export.h"

/* --- times ---------------------------------------------------------------------------------------------- */

/* The tasks of a batch are sent together: the first one has the time. */
void
traces_sent(const struct slot *slot, const struct task *task, enum task_event event)
{
    const struct task *first = slot_first(&slot->tasks);

    if (task->trace == NULL)
        return;
    if (event == EVENT_REPORT_SENT)
        task->trace->reported_us = task == first ? outside_wall_us() : first->trace->reported_us;
    else
        task->trace->began_us = task == first ? outside_wall_us() : first->trace->began_us;
}

void
traces_prepared(const struct task *task)
{
    if (task->trace != NULL)
        task->trace->prepared_us = outside_wall_us();
}

/* The server measures a batch as a whole: its tasks are shown one after the other, each with the mean. */
void
traces_ran(const struct slot *slot, int done, double took_us)
{
    struct list *node = slot->tasks.next;
    int64_t now_us;

    if (slot->worker->traces == NULL || done == 0)
        return;
    now_us = outside_wall_us();
    for (int i = 0; i < done && node != &slot->tasks; i++, node = node->next) {
        struct lease_trace *trace = LIST_OWNER(node, struct task, node)->trace;
        int64_t sent_us = trace->prepared_us > trace->began_us ? trace->prepared_us : trace->began_us;
        int64_t latest_us = now_us - (int64_t)took_us;

        sent_us = sent_us > latest_us ? latest_us : sent_us; /* a direct claim notes the start too late */
        trace->run_us = sent_us + (int64_t)(took_us * i / done);
        trace->run_end_us = sent_us + (int64_t)(took_us * (i + 1) / done);
        trace->batch = done;
    }
}

void
traces_called(const struct task *task)
{
    if (task->trace != NULL)
        task->trace->called_us = outside_wall_us();
}

void
traces_answered(const struct task *task)
{
    struct lease_trace *trace = task->trace;

    if (trace == NULL)
        return;
    if (trace->called_us != 0 && trace->called_end_us == 0) {
        trace->called_end_us = outside_wall_us();
    } else if (task->kind == TASK_RUNS && trace->run_us == 0 && trace->began_us != 0) {
        trace->run_us = trace->prepared_us > trace->began_us ? trace->prepared_us : trace->began_us;
        trace->run_end_us = outside_wall_us();
    }
}

/* Copies a text into an array of `size` bytes, cut to its size. */
static void
copy(char *to, size_t size, const char *text)
{
    size_t length = strnlen(text, size - 1);

    memcpy(to, text, length);
    to[length] = '\0';
}

void
traces_say(const struct task *task, const char *outcome, const char *error_class, bool has_failed)
{
    struct lease_trace *trace = task->trace;

    if (trace == NULL)
        return;
    copy(trace->outcome, sizeof(trace->outcome), outcome);
    copy(trace->error_class, sizeof(trace->error_class), error_class == NULL ? "" : error_class);
    trace->has_failed = has_failed;
}

/* The traceparent for the outside: the span of the call if this worker exports it, otherwise what the enqueuer gave. */
const char *
traces_parent(const struct task *task, const char *traceparent, char ret_parent[TRACE_PARENT_SIZE])
{
    struct trace_context context;

    if (!trace_read(traceparent, &context))
        return NULL;
    if (task->trace == NULL || !context.is_sampled)
        return traceparent;
    trace_write_parent(context.trace_id, task->id, task->lease_no, TRACE_CALL, ret_parent);
    return ret_parent;
}

/* --- spans ---------------------------------------------------------------------------------------------- */

/* Adds a child of the span of the lease, if its time is known. */
static void
add_part(struct trace_export *export, const struct trace_span *whole, const char *whole_id, enum trace_part part,
    int64_t start_us, int64_t end_us)
{
    struct trace_span span = *whole;

    if (start_us == 0 || end_us == 0)
        return;
    span.part = part;
    span.parent_id = whole_id;
    span.start_us = start_us < whole->start_us ? whole->start_us : start_us;
    span.end_us = end_us > whole->end_us ? whole->end_us : end_us;
    /* Only the step that decided the end has its error. */
    span.has_failed = whole->has_failed && (part == TRACE_RUN || part == TRACE_CALL);
    trace_export_add(export, &span);
}

/* Did a handler run when the outcome was recorded? */
static bool
has_handler(const struct lease_trace *lease, const struct lease_facts *facts)
{
    if (strcmp(lease->outcome, "handler_failed") == 0 || strcmp(lease->outcome, "quarantined") == 0)
        return facts->has_success || facts->has_error;
    return strcmp(lease->outcome, "succeeded") == 0 ? facts->has_success : facts->has_error;
}

void
lease_trace_export(const struct lease_trace *lease, const struct lease_facts *facts, struct trace_export *export)
{
    struct trace_context context;
    char id[TRACE_SPAN_SIZE];
    struct trace_span span = {
        .task_id = lease->task_id,
        .lease_no = lease->lease_no,
        .part = TRACE_TASK,
        .start_us = lease->claimed_us,
        .end_us = lease->end_us,
        .type = lease->type,
        .queue = lease->queue,
        .outcome = lease->outcome,
        .error_class = lease->error_class,
        .has_failed = lease->has_failed,
        .attempt = facts->attempt,
        .channel = lease->channel,
        .batch = lease->batch,
        .link_task_id = facts->link_task_id,
        .link_lease_no = facts->link_lease_no,
    };

    if (!trace_read(facts->traceparent, &context) || !context.is_sampled)
        return;
    span.trace_id = context.trace_id;
    span.parent_id = context.span_id;
    if (facts->waited_s > 0 && facts->waited_s < 1e9)
        span.start_us -= (int64_t)(facts->waited_s * 1e6);
    trace_export_add(export, &span);
    trace_span_id(span.trace_id, span.task_id, span.lease_no, TRACE_TASK, id);
    if (facts->waited_s >= 0)
        add_part(export, &span, id, TRACE_WAIT, span.start_us, lease->claimed_us);
    if (facts->has_before || lease->is_prepared)
        add_part(export, &span, id, TRACE_BEFORE, lease->began_us, lease->prepared_us);
    add_part(export, &span, id, TRACE_RUN, lease->run_us, lease->run_end_us);
    add_part(export, &span, id, TRACE_CALL, lease->called_us, lease->called_end_us);
    if (has_handler(lease, facts))
        add_part(export, &span, id, TRACE_HANDLER, lease->reported_us, lease->end_us);
}
