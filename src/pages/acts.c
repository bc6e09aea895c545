/*
 * The table of acts.  Each calls a function of the database, which has the rules, checks the right, and keeps the audit.
 */
#include "pages/page.h"
#include "pages/sql.h"
#include "pages/topics.h"

/* What a question shows of the thing. */
#define TASK                                                                                                                     \
    "select jsonb_build_object('task_type', s.task_type, 'queue', s.queue, 'state', s.state, 'outcome', s.outcome, "             \
    "'last_error', s.last_error)"                                                                                                \
    " from queues.task_state as s where s.task_id = $1::bigint"
#define PROCESS "select to_jsonb(p.*) - 'last_facts' from queues.process_state as p where p.process_id = $1::bigint"
#define JOB                                                                                                                      \
    "select jsonb_build_object('job_status', j.job_status, 'job_type', j.job_type, 'url', j.url, 'run_at', j.run_at, "           \
    "'retry_count', j.retry_count)"                                                                                              \
    " from pgqueue.job_queue as j where j.job_id = $1::bigint"
#define QUEUE                                                                                                                    \
    "select jsonb_build_object('queue', q.queue, 'max_running', q.max_running, 'top_level_limit', q.top_level_limit, "           \
    "'description', q.description)"                                                                                              \
    " from queues.queue as q where q.queue = $1"
#define WEBHOOK                                                                                                                  \
    "select jsonb_build_object('state', case when w.enabled then 'enabled' else 'disabled' end, 'table_name', w.table_name,"     \
    " 'table_schema', w.table_schema, 'url', w.url) from pgqueue.webhooks as w where w.name = $1"
#define SCHEDULE "select to_jsonb(s.*) from queues.schedule_state as s where s.schedule_name = $1"
#define BULK "select to_jsonb(b.*) from queues.bulk_state as b where b.act_id = $1::bigint"

/* clang-format off */
const struct page_act page_acts[] = {
    {.path = "/tasks/{#}/retry", .title = "Retry task", .right = PAGE_OPERATOR, .fields = {"at"}, .ask = TASK, .write_question = task_ask_retry,
        .sql = "select format('Task %s runs again as task %s.', $1, r.id) as notice, '/tasks/' || r.id as path"
            " from (select queues.retry_task($1::bigint, " FUTURE("$2") ") as id offset 0) as r"},
    {.path = "/tasks/{#}/cancel", .title = "Cancel task", .right = PAGE_OPERATOR, .fields = {"reason"}, .ask = TASK, .write_question = task_ask_cancel,
        .sql = "select case r.answer when 'cancelled' then format('Task %s is cancelled.', $1) when 'requested' then format('Task %s runs; it is asked to stop.', $1)"
            " else format('Task %s had ended already.', $1) end as notice, null::text as path from (select queues.cancel_task($1::bigint, $2) as answer offset 0) as r"},
    {.path = "/tasks/{#}/reschedule", .title = "Reschedule task", .right = PAGE_OPERATOR, .fields = {"at"}, .ask = TASK, .write_question = task_ask_reschedule,
        .sql = "select case when r.done then format('Task %s has its new time.', $1) else format('Task %s does not wait for a time; nothing is changed.', $1) end as notice,"
            " null::text as path from (select queues.reschedule_task($1::bigint, " FUTURE("$2") ") as done offset 0) as r"},
    {.path = "/tasks/{#}/copy", .title = "Enqueue a copy of task", .right = PAGE_ADMIN, .fields = {"payload", "at"}, .write_question = task_ask_copy,
        .ask = "select jsonb_build_object('task_type', t.task_type, 'queue', t.queue, 'payload', jsonb_pretty(t.payload)) from queues.task as t where t.task_id = $1::bigint",
        .sql = "select format('Task %s is a copy of task %s.', r.id, $1) as notice, '/tasks/' || r.id as path from (select queues.enqueue(t.task_type, $2::jsonb, "
            FUTURE("$3") ", t.queue, t.priority) as id from queues.task as t where t.task_id = $1::bigint offset 0) as r"},

    {.path = "/queues/{}/pause", .title = "Pause queue", .right = PAGE_OPERATOR, .fields = {"for"}, .ask = QUEUE, .write_question = queue_ask_pause,
        .sql = "select format('Queue %s is paused%s.', $1, coalesce(' for ' || $2::text, '')) as notice, null::text as path from queues.pause_queue($1, $2::interval)"},
    {.path = "/queues/{}/resume", .title = "Resume queue", .right = PAGE_OPERATOR, .ask = QUEUE, .write_question = queue_ask_resume,
        .sql = "select format('Queue %s is resumed.', $1) as notice, null::text as path from queues.resume_queue($1)"},
    {.path = "/queues/{}/set", .title = "Set limits of queue", .right = PAGE_ADMIN, .fields = {"max_running", "top_level_limit", "description"}, .ask = QUEUE,
        .write_question = queue_ask_set,
        .sql = "select format('Queue %s has its new settings.', $1) as notice, null::text as path from queues.set_queue($1, $2::integer, $3::integer, $4)"},

    {.path = "/processes/{#}/revive", .title = "Revive process", .right = PAGE_OPERATOR, .ask = PROCESS, .write_question = process_ask_revive,
        .sql = "select format('Process %s runs again by task %s.', $1, r.id) as notice, null::text as path from (select queues.revive_process($1::bigint) as id offset 0) as r"},
    {.path = "/processes/{#}/end", .title = "End process", .right = PAGE_OPERATOR, .fields = {"reason"}, .ask = PROCESS, .write_question = process_ask_end,
        .sql = "select case when r.was_live then format('Process %s is ended.', $1) else format('Process %s had ended already.', $1) end as notice, null::text as path"
            " from (select queues.end_process($1::bigint, $2) as was_live offset 0) as r"},

    {.path = "/jobs/replay", .title = "Replay failed jobs", .right = PAGE_OPERATOR, .fields = {"url", "since"}, .write_question = jobs_ask_replay,
        .sql = "select format('%s jobs run again.', pgqueue.replay_failed($1, " PAST("$2") ")) as notice, null::text as path"},
    {.path = "/jobs/{#}/retry", .title = "Run job again", .right = PAGE_OPERATOR, .ask = JOB, .write_question = job_ask,
        .sql = "select format('Job %s runs again by task %s.', $1, r.id) as notice, null::text as path from (select pgqueue.retry_job($1::bigint) as id offset 0) as r"},
    {.path = "/jobs/{#}/cancel", .title = "Cancel job", .right = PAGE_OPERATOR, .ask = JOB, .write_question = job_ask,
        .sql = "select format('Job %s: %s.', $1, r.answer) as notice, null::text as path from (select pgqueue.cancel_job($1::bigint) as answer offset 0) as r"},
    {.path = "/jobs/{#}/reschedule", .title = "Reschedule job", .right = PAGE_OPERATOR, .fields = {"at"}, .ask = JOB, .write_question = job_ask_reschedule,
        .sql = "select case when r.done then format('Job %s has its new time.', $1) else format('Job %s does not wait; nothing is changed.', $1) end as notice, null::text as path"
            " from (select pgqueue.reschedule_job($1::bigint, " FUTURE("$2") ") as done offset 0) as r"},

    {.path = "/webhooks/{}/test", .title = "Test webhook", .right = PAGE_OPERATOR, .ask = WEBHOOK, .write_question = webhook_ask,
        .sql = "select format('Job %s sends a body of type TEST.', r.id) as notice, '/jobs/' || r.id as path from (select pgqueue.test_webhook($1) as id offset 0) as r"},
    {.path = "/webhooks/{}/pause", .title = "Pause webhook", .right = PAGE_OPERATOR, .ask = WEBHOOK, .write_question = webhook_ask_pause,
        .sql = "select format('Webhook %s is switched off.', $1) as notice, null::text as path from pgqueue.enable_webhook($1, false)"},
    {.path = "/webhooks/{}/resume", .title = "Resume webhook", .right = PAGE_OPERATOR, .ask = WEBHOOK, .write_question = webhook_ask,
        .sql = "select format('Webhook %s is switched on.', $1) as notice, null::text as path from pgqueue.enable_webhook($1, true)"},

    {.path = "/schedules/{}/pause", .title = "Pause schedule", .right = PAGE_OPERATOR, .fields = {"reason"}, .ask = SCHEDULE, .write_question = schedule_ask_pause,
        .sql = "select format('Schedule %s is paused.', $1) as notice, null::text as path from queues.pause_schedule($1, $2)"},
    {.path = "/schedules/{}/resume", .title = "Resume schedule", .right = PAGE_OPERATOR, .ask = SCHEDULE, .write_question = schedule_ask,
        .sql = "select format('Schedule %s is resumed.', $1) as notice, null::text as path from queues.resume_schedule($1)"},
    {.path = "/schedules/{}/fire", .title = "Fire schedule", .right = PAGE_OPERATOR, .ask = SCHEDULE, .write_question = schedule_ask,
        .sql = "select format('Schedule %s has fired: task %s.', $1, r.id) as notice, '/tasks/' || r.id as path from (select queues.fire_schedule($1) as id offset 0) as r"},

    {.path = "/bulk/preview", .title = "Count what matches", .right = PAGE_OPERATOR, .write_question = bulk_ask_preview,
        .fields = {"kind", "outcome", "type", "queue", "state", "since", "until", "error", "url", "all", "reason"},
        .sql = "select format('%s match.', p.counted) as notice, '/bulk/' || p.act_id as path from queues.preview_bulk($1, _outcome => $2, _type => $3, _queue => $4,"
            " _state => $5, _since => " PAST("$6") ", _until => " PAST("$7") ", _error_like => " PATTERN("$8") ", _url => $9,"
            " _all => coalesce($10::boolean, false), _reason => $11) as p"},
    {.path = "/bulk/{#}/start", .title = "Start bulk act", .right = PAGE_OPERATOR, .ask = BULK, .write_question = bulk_ask,
        .sql = "select format('Act %s has begun.', $1) as notice, '/bulk/' || $1 as path from (select queues.start_bulk($1::bigint) as answer offset 0) as r"},
    {.path = "/bulk/{#}/stop", .title = "Stop bulk act", .right = PAGE_OPERATOR, .ask = BULK, .write_question = bulk_ask,
        .sql = "select case when r.was_open then format('Act %s is stopped; what is done stays done.', $1) else format('Act %s had ended already.', $1) end as notice,"
            " '/bulk/' || $1 as path from (select queues.stop_bulk($1::bigint) as was_open offset 0) as r"},
    {.path = "/bulk/{#}/extend", .title = "Look further back for bulk act", .right = PAGE_OPERATOR, .ask = BULK, .write_question = bulk_ask,
        .sql = "select format('%s match now.', p.counted) as notice, '/bulk/' || p.act_id as path from queues.extend_bulk($1::bigint) as p"},
};
/* clang-format on */
const int page_act_count = (int)LENGTH(page_acts);
