/*
 * Traces.  If the worker exports them, it notes a few times of each lease.  When a lease has ended, it waits in a list; once per
 * pass the worker asks the database in one statement which of the ended leases belong to sampled tasks, and makes the spans of
 * those.  So the work itself carries nothing, and most leases end here.
 *
 *   claim -> times -> end of the lease -> `ended` -> question: `asked` -> answer: spans, or nothing
 *
 * A worker that does not export traces has none of this: worker->traces and task->trace are NULL.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/outside.h"
#include "task/lease_trace.h"
#include "task/worker_private.h"
#include "trace/trace_export.h"

/* A lease of the question under way.  Keys stand beside each other, because most leases are looked at only here. */
struct asked {
    int64_t task_id;
    int32_t lease_no;
    struct lease_trace *trace; /* owned */
};

struct traces {
    struct worker *worker;
    struct trace_export *export;
    struct list ended; /* leases that are not asked about yet */
    int ended_count;
    struct asked asked[BOUND_TRACE_BATCH]; /* by task and lease */
    int asked_count;                       /* 0: no question is under way */
    struct list spare;                     /* memory for the next leases */
    int spare_count;
    struct timer *timer; /* time of the next question, or of the end of the flush */
    bool must_ask;       /* the time of a question has come */
    bool is_flushing;    /* the worker stops, and only waits for its last spans */
    bool is_late;        /* it has waited long enough */
};

static struct lease_trace *
first_of(const struct list *list)
{
    return LIST_OWNER(list->next, struct lease_trace, node);
}

/* Keeps the memory for another lease. */
static void
forget(struct traces *traces, struct lease_trace *trace)
{
    if (traces->spare_count == BOUND_TRACE_BATCH) {
        free(trace);
        return;
    }
    list_append(&traces->spare, &trace->node);
    traces->spare_count++;
}

static void
free_all(struct list *list)
{
    while (!list_is_empty(list)) {
        struct lease_trace *trace = first_of(list);

        list_remove(&trace->node);
        free(trace);
    }
}

/* --- leases -------------------------------------------------------------------------------------- */

int64_t
traces_now_us(const struct worker *worker)
{
    return worker->traces == NULL ? 0 : outside_wall_us();
}

void
traces_claimed(struct task *task, int64_t now_us)
{
    struct traces *traces = task->worker->traces;

    if (traces == NULL)
        return;
    if (list_is_empty(&traces->spare)) {
        task->trace = must_alloc(sizeof(*task->trace));
    } else {
        task->trace = first_of(&traces->spare);
        list_remove(&task->trace->node);
        traces->spare_count--;
        *task->trace = (struct lease_trace){0};
    }
    list_init(&task->trace->node);
    task->trace->claimed_us = now_us;
    task->trace->is_prepared = task->needs_prepare;
    task->trace->channel = task->kind == TASK_CALLS ? channel_adapter(task->channel) : NULL;
}

/* --- ended leases ------------------------------------------------------------------------------ */

void
traces_ended(struct task *task, enum task_event event)
{
    struct traces *traces = task->worker->traces;
    struct lease_trace *trace = task->trace;

    /* A lease that was given back before its work began leaves no span. */
    if (trace == NULL || (event != EVENT_COMMITTED && trace->began_us == 0 && trace->reported_us == 0))
        return;
    if (traces->ended_count >= BOUND_TRACES) {
        trace_export_dropped(traces->export, "unasked", 1);
        return;
    }
    if (trace->outcome[0] == '\0' && event != EVENT_COMMITTED)
        traces_say(task, event == EVENT_LOST ? "lost" : "released", NULL, event == EVENT_LOST);
    trace->task_id = task->id;
    trace->lease_no = task->lease_no;
    trace->end_us = outside_wall_us();
    memcpy(trace->type, task->type, sizeof(trace->type));
    memcpy(trace->queue, task->queue, sizeof(trace->queue));
    task->trace = NULL;
    list_append(&traces->ended, &trace->node);
    traces->ended_count++;
    if (!timer_is_armed(traces->timer))
        timer_start(traces->timer, BOUND_TRACE_MS);
}

/* --- the question -------------------------------------------------------------------------------- */

static int
by_lease(const void *a, const void *b)
{
    const struct asked *first = a;
    const struct asked *second = b;

    if (first->task_id != second->task_id)
        return first->task_id < second->task_id ? -1 : 1;
    return first->lease_no < second->lease_no ? -1 : first->lease_no > second->lease_no;
}

static void
take_row(struct traces *traces, const struct db_result *result, int row)
{
    struct asked wanted = {.task_id = db_result_i64(result, row, 0, 0), .lease_no = (int32_t)db_result_i64(result, row, 1, 0)};
    struct asked *found = bsearch(&wanted, traces->asked, (size_t)traces->asked_count, sizeof(wanted), by_lease);
    struct lease_facts facts = {
        .traceparent = db_result_text(result, row, 2),
        .waited_s = db_result_text(result, row, 3) == NULL ? -1 : db_result_number(result, row, 3),
        .link_task_id = db_result_i64(result, row, 4, 0),
        .link_lease_no = (int32_t)db_result_i64(result, row, 5, 0),
        .attempt = (int)db_result_i64(result, row, 6, 1),
        .has_before = db_result_is_true(result, row, 7),
        .has_success = db_result_is_true(result, row, 8),
        .has_error = db_result_is_true(result, row, 9),
    };

    /* A range has other leases of this worker, too. */
    if (found != NULL)
        lease_trace_export(found->trace, &facts, traces->export);
}

/* The connection was lost: the same leases are asked about again. */
static void
ask_again(struct traces *traces)
{
    for (int i = 0; i < traces->asked_count; i++)
        list_append(&traces->ended, &traces->asked[i].trace->node);
    traces->ended_count += traces->asked_count;
    traces->asked_count = 0;
    traces->must_ask = true;
}

static void
on_traces(void *cookie, const struct db_result *result, const struct err *err)
{
    struct traces *traces = cookie;

    if (err != NULL && err->kind == ERR_RETRY) {
        ask_again(traces);
        return;
    }
    if (err == NULL) {
        for (int row = 0; row < db_result_rows(result); row++)
            take_row(traces, result, row);
    } else {
        log_event(LOG_WARN, "could not ask which tasks are traced", "sqlstate", err->code, "error", err->message, NULL);
        trace_export_dropped(traces->export, "unasked", traces->asked_count);
    }
    for (int i = 0; i < traces->asked_count; i++)
        forget(traces, traces->asked[i].trace);
    traces->asked_count = 0;
}

/* Takes the leases of the next question, in order.  In a backlog they mostly are. */
static void
take_leases(struct traces *traces)
{
    bool is_sorted = true;

    while (!list_is_empty(&traces->ended) && traces->asked_count < BOUND_TRACE_BATCH) {
        struct lease_trace *trace = first_of(&traces->ended);
        struct asked *asked = &traces->asked[traces->asked_count];

        list_remove(&trace->node);
        traces->ended_count--;
        *asked = (struct asked){.task_id = trace->task_id, .lease_no = trace->lease_no, .trace = trace};
        is_sorted = is_sorted && (traces->asked_count == 0 || by_lease(asked - 1, asked) < 0);
        traces->asked_count++;
    }
    if (!is_sorted)
        qsort(traces->asked, (size_t)traces->asked_count, sizeof(traces->asked[0]), by_lease);
}

static void
write_ids(const struct traces *traces, struct buf *ids)
{
    for (int i = 0; i < traces->asked_count; i++)
        buf_printf(ids, "%s%" PRId64, i == 0 ? "{" : ",", traces->asked[i].task_id);
    buf_puts(ids, "}");
}

static void
ask(struct traces *traces)
{
    struct worker *worker = traces->worker;
    char first_text[24];
    char last_text[24];
    struct db_step step = {.statement = STATEMENT_TRACES, .params = {worker->id, first_text, last_text}};
    int64_t first;
    int64_t last;
    struct buf ids;

    buf_init(&ids, BOUND_TRACE_BATCH * 24);
    take_leases(traces);
    first = traces->asked[0].task_id;
    last = traces->asked[traces->asked_count - 1].task_id;
    (void)snprintf(first_text, sizeof(first_text), "%" PRId64, first);
    (void)snprintf(last_text, sizeof(last_text), "%" PRId64, last);
    if (last - first >= (int64_t)traces->asked_count * BOUND_TRACE_SPARSE) {
        write_ids(traces, &ids);
        step.params[3] = ids.text;
    }
    traces->must_ask = traces->ended_count > 0;
    db_conn_send(worker->control, &step, on_traces, traces);
    buf_release(&ids);
}

void
traces_pass(struct worker *worker)
{
    struct traces *traces = worker->traces;

    if (traces == NULL || traces->asked_count > 0 || traces->ended_count == 0
        || (traces->ended_count < BOUND_TRACE_BATCH && !traces->must_ask && !worker->is_stopping) || !worker->is_started
        || !db_conn_is_up(worker->control))
        return;
    ask(traces);
}

/* --- life -------------------------------------------------------------------------------------------- */

static void
on_timer(void *cookie)
{
    struct traces *traces = cookie;

    traces->must_ask = true; /* The pass that follows asks. */
    traces->is_late = traces->is_flushing;
}

/* To be called once per pass when nothing else is left to do: are the last spans out, or is it time to give them up? */
bool
traces_are_out(struct worker *worker)
{
    struct traces *traces = worker->traces;
    bool is_empty;

    if (traces == NULL || traces->is_late || worker->is_hurried)
        return true;
    is_empty = traces->ended_count == 0 && traces->asked_count == 0;
    is_empty = trace_export_flush(traces->export) && is_empty;
    if (!is_empty && !traces->is_flushing)
        timer_start(traces->timer, BOUND_TRACE_STOP_MS);
    traces->is_flushing = true;
    return is_empty;
}

void
traces_start(struct worker *worker)
{
    struct traces *traces;

    if (worker->options->trace == NULL)
        return;
    traces = must_alloc(sizeof(*traces));
    traces->worker = worker;
    traces->export = trace_export_new(worker->loop, worker->options->trace);
    traces->timer = timer_new(worker->loop, on_timer, traces);
    list_init(&traces->ended);
    list_init(&traces->spare);
    worker->traces = traces;
}

void
traces_stop(struct worker *worker)
{
    struct traces *traces = worker->traces;

    if (traces == NULL)
        return;
    free_all(&traces->ended);
    free_all(&traces->spare);
    for (int i = 0; i < traces->asked_count; i++)
        free(traces->asked[i].trace);
    timer_close(traces->timer);
    trace_export_free(traces->export);
    worker->traces = NULL;
    free(traces);
}
