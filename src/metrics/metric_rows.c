#include "metrics/metrics.h"

#include <string.h>

/* Upper bounds of buckets, ended by 0.  Times are in seconds. */
static const double quick_times[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 0};
static const double long_times[] = {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 3600, 0};
static const double numbers[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 0};

/* clang-format off */
const struct metric_row metric_rows[METRIC_COUNT] = {
    [METRIC_UP] = {"reeve_up", METRIC_GAUGE, METRIC_OF_BOTH, {NULL}, NULL,
        "1: the program is connected to a database whose schema fits, and the database answered lately. Otherwise 0."},
    [METRIC_BUILD_INFO] = {"reeve_build_info", METRIC_GAUGE, METRIC_OF_BOTH, {"version", NULL}, NULL,
        "Always 1; the label has the version of the program."},
    [METRIC_START_TIME] = {"reeve_start_time_seconds", METRIC_GAUGE, METRIC_OF_BOTH, {NULL}, NULL,
        "Start of the program, in seconds since 1970."},
    [METRIC_OVERFLOWS] = {"reeve_series_overflows_total", METRIC_COUNTER, METRIC_OF_BOTH, {NULL}, NULL,
        "Values that were recorded with the labels \"other\", because a metric had too many series."},
    [METRIC_TASKS_STARTED] = {"reeve_tasks_started_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", "type", NULL}, NULL,
        "Runs and calls that this worker began; a task that is repeated counts again."},
    [METRIC_TASKS_COMPLETED] = {"reeve_tasks_completed_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", "type", "outcome"}, NULL,
        "Tasks whose end this worker recorded."},
    [METRIC_TASKS_RETRIED] = {"reeve_tasks_retried_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", "type", NULL}, NULL,
        "Runs that met a passing error, and calls that were not sent: the same task is due again."},
    [METRIC_TASK_WAIT] = {"reeve_task_wait_seconds", METRIC_HISTOGRAM, METRIC_OF_WORKER, {"queue", NULL}, long_times,
        "Time from the moment at which a task was due until this worker claimed it. Tasks that one claim brought in one row are spread evenly between the first and the last."},
    [METRIC_TASK_RUN] = {"reeve_task_run_seconds", METRIC_HISTOGRAM, METRIC_OF_WORKER, {"type", NULL}, long_times,
        "Time of a run in the database, as the server measured it. Quick tasks of one batch count with their mean."},
    [METRIC_CALL] = {"reeve_call_seconds", METRIC_HISTOGRAM, METRIC_OF_WORKER, {"channel", "outcome", NULL}, long_times,
        "Time of a call to the outside, from its start until its outcome was known."},
    [METRIC_HANDLER_FAILURES] = {"reeve_handler_failures_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", "type", NULL}, NULL,
        "Handlers that failed after a call; the result is kept, and the handler runs again."},
    [METRIC_CLAIM] = {"reeve_claim_seconds", METRIC_HISTOGRAM, METRIC_OF_WORKER, {NULL}, quick_times,
        "Time of a claim, from its sending to its answer."},
    [METRIC_CLAIMED_TASKS] = {"reeve_claimed_tasks", METRIC_HISTOGRAM, METRIC_OF_WORKER, {NULL}, numbers,
        "Number of tasks that a claim brought."},
    [METRIC_CLAIMS_FAILED] = {"reeve_claims_failed_total", METRIC_COUNTER, METRIC_OF_WORKER, {NULL}, NULL,
        "Claims that ended with an error or with a lost connection."},
    [METRIC_LEASES_LOST] = {"reeve_leases_lost_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", NULL}, NULL,
        "Leases that were superseded, or that the worker left to run out."},
    [METRIC_LEASES_RELEASED] = {"reeve_leases_released_total", METRIC_COUNTER, METRIC_OF_WORKER, {"queue", NULL}, NULL,
        "Leases that the worker gave back before their end."},
    [METRIC_HELD_TASKS] = {"reeve_held_tasks", METRIC_GAUGE, METRIC_OF_WORKER, {"state", NULL}, NULL,
        "Tasks that this worker holds: waiting, running, calling, or reporting."},
    [METRIC_WORK_CONNECTIONS] = {"reeve_work_connections", METRIC_GAUGE, METRIC_OF_WORKER, {"state", NULL}, NULL,
        "Work connections: free, busy, or down."},
    [METRIC_CONNECTIONS_LOST] = {"reeve_connections_lost_total", METRIC_COUNTER, METRIC_OF_WORKER, {"connection", NULL}, NULL,
        "Losses of connections, and failed attempts to connect."},
    [METRIC_PROBE] = {"reeve_probe_seconds", METRIC_HISTOGRAM, METRIC_OF_BOTH, {NULL}, quick_times,
        "Time until the database answered the program's own probe."},
    [METRIC_OVERDUE] = {"reeve_overdue_seconds", METRIC_GAUGE, METRIC_OF_WORKER, {NULL}, NULL,
        "Age of the oldest due task that this worker could claim, as a probe of its own saw it; 0: none. Paused queues and queues at their limit do not count."},
    [METRIC_STALLED] = {"reeve_stalled_seconds", METRIC_GAUGE, METRIC_OF_WORKER, {NULL}, NULL,
        "Time for which a task was due and this worker started nothing; 0: nothing is due, or work starts."},
    [METRIC_CHILDREN] = {"reeve_children", METRIC_GAUGE, METRIC_OF_WORKER, {"state", NULL}, NULL,
        "Children of reeve run: starting, ready, or leaving."},
    [METRIC_CHILDREN_ENDED] = {"reeve_children_ended_total", METRIC_COUNTER, METRIC_OF_WORKER, {"how", NULL}, NULL,
        "Children of reeve run that ended: expected, or unexpected (a crash, a kill, or an end in the middle of a task)."},
    [METRIC_SPANS_EXPORTED] = {"reeve_spans_exported_total", METRIC_COUNTER, METRIC_OF_WORKER, {NULL}, NULL,
        "Spans that the collector of traces took."},
    [METRIC_SPANS_DROPPED] = {"reeve_spans_dropped_total", METRIC_COUNTER, METRIC_OF_WORKER, {"reason", NULL}, NULL,
        "Spans that were dropped: the buffer was full, the collector was unreachable or refused them, or the worker stopped. Unasked: ended leases of which the worker could not ask whether they are traced."},
    [METRIC_QUEUE_READY] = {"reeve_queue_ready", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Tasks that are due and wait for a worker."},
    [METRIC_QUEUE_SCHEDULED] = {"reeve_queue_scheduled", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Tasks whose time has not come."},
    [METRIC_QUEUE_RUNNING] = {"reeve_queue_running", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Tasks that workers hold."},
    [METRIC_QUEUE_HANDLER_PENDING] = {"reeve_queue_handler_pending", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Tasks whose result is known and whose handler is left to run."},
    [METRIC_QUEUE_WAITING] = {"reeve_queue_waiting", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Tasks that wait for their children, or behind a sibling."},
    [METRIC_QUEUE_OLDEST_READY] = {"reeve_queue_oldest_ready_seconds", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "Time for which the oldest due task has waited; 0: none is due."},
    [METRIC_QUEUE_PAUSED] = {"reeve_queue_paused", METRIC_GAUGE, METRIC_OF_DATABASE, {"queue", NULL}, NULL,
        "1: an operator has paused the queue. Otherwise 0."},
    [METRIC_IN_DOUBT] = {"reeve_in_doubt", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Tasks that ended in doubt and that nobody has repeated; counted up to 10000."},
    [METRIC_QUARANTINED] = {"reeve_quarantined", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Tasks that ended in quarantine and that nobody has repeated; counted up to 10000."},
    [METRIC_DEAD_ENDS] = {"reeve_processes_at_dead_end", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Supervised processes that failed or stopped making progress in the last seven days and were not revived."},
    [METRIC_OLDEST_SNAPSHOT] = {"reeve_oldest_snapshot_seconds", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Age of the oldest transaction that holds a snapshot; while it lasts, dead rows stay. Sessions of other roles need pg_read_all_stats."},
    [METRIC_EXPIRED_LEASES] = {"reeve_expired_leases", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Leases that ran out more than a minute ago, that no run holds, and that no worker has taken back."},
    [METRIC_WORKERS] = {"reeve_workers", METRIC_GAUGE, METRIC_OF_DATABASE, {"state", NULL}, NULL,
        "Workers that have not stopped: live, or silent for more than a minute and less than a day."},
    [METRIC_UNSERVED_TYPES] = {"reeve_unserved_types", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Task types with waiting tasks that no live worker serves."},
    [METRIC_SCHEDULES] = {"reeve_schedules", METRIC_GAUGE, METRIC_OF_DATABASE, {"state", NULL}, NULL,
        "Schedules: waiting, ended, refused (the last slot could not be fired), paused, or paused_by_failures."},
    [METRIC_SCHEDULES_OVERDUE] = {"reeve_schedules_overdue_seconds", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Time for which the first due schedule has waited for a decision; 0: none is due. Every worker fires schedules."},
    [METRIC_SCHEMA_VERSION] = {"reeve_schema_version", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Version of the schema in the database."},
    [METRIC_REFRESH] = {"reeve_refresh_seconds", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Time that the database took for the figures of the whole database."},
    [METRIC_REFRESH_AGE] = {"reeve_refresh_age_seconds", METRIC_GAUGE, METRIC_OF_DATABASE, {NULL}, NULL,
        "Age of the figures of the whole database; they are asked for every five seconds, or less often if the answer is slow."},
    [METRIC_DASHBOARD_ANSWERS] = {"reeve_dashboard_answers_total", METRIC_COUNTER, METRIC_OF_DASHBOARD, {"status", NULL}, NULL,
        "Answers of reeve serve by the first digit of their status: 2xx, 3xx, 4xx, 5xx."},
    [METRIC_DASHBOARD_SESSIONS] = {"reeve_dashboard_sessions", METRIC_GAUGE, METRIC_OF_DASHBOARD, {NULL}, NULL,
        "Viewers who are logged in to reeve serve."},
    [METRIC_DASHBOARD_QUESTIONS] = {"reeve_dashboard_questions_total", METRIC_COUNTER, METRIC_OF_DASHBOARD, {NULL}, NULL,
        "Questions and acts that reeve serve has given to the database; viewers of one page share one."},
    [METRIC_DASHBOARD_WAITING] = {"reeve_dashboard_waiting", METRIC_GAUGE, METRIC_OF_DASHBOARD, {NULL}, NULL,
        "Requests to reeve serve that wait for the database now."},
};
/* clang-format on */

enum metric
metric_find(const char *name)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(metric_rows[i].name, name) == 0)
            return (enum metric)i;
    }
    return METRIC_COUNT;
}

void
metrics_describe(struct buf *text)
{
    static const char *const kinds[] = {"counter", "gauge", "histogram"};
    static const char *const sources[] = {"", "worker", "database", "both", "dashboard"};

    buf_puts(text, "| metric | labels | kind | exported by | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_row *row = &metric_rows[i];

        buf_printf(text, "| `%s` | ", row->name);
        for (int n = 0; n < METRIC_LABELS && row->labels[n] != NULL; n++)
            buf_printf(text, "%s`%s`", n == 0 ? "" : ", ", row->labels[n]);
        buf_printf(
            text, "%s| %s | %s | %s |\n", row->labels[0] == NULL ? "" : " ", kinds[row->kind], sources[row->source], row->help);
    }
}
