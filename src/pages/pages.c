/*
 * The table of pages.  Each statement is bounded: it reads by keys, or the working set through functions that keep their counts.
 */
#include "pages/page.h"
#include "pages/sql.h"
#include "pages/topics.h"

/* clang-format off */
const struct page pages[] = {
    {.path = "/", .title = "Home", .write = home_write, .refresh_s = 5,
        .sql = "select jsonb_build_object('counts', c.doc, 'attention', queues.attention())"
            " || (select jsonb_build_object('minutes', coalesce(jsonb_agg(to_jsonb(m.*) order by m.minute), '[]'),"
            " 'done', coalesce(sum(m.good), 0), 'failed', coalesce(sum(m.bad), 0))"
            " from (select t.minute, 59 - floor(extract(epoch from date_trunc('minute', now()) - t.minute) / 60)::integer as minute_no,"
            " sum(t.succeeded + t.other) as good, sum(t.failed) as bad from queues.throughput as t"
            " where t.minute > date_trunc('minute', now()) - interval '1 hour' group by t.minute) as m)"
            " || jsonb_build_object('oldest', " ROWS("select r.queue, r.ready, r.running, r.oldest_ready"
            " from jsonb_to_recordset(c.doc->'queues') as r(queue text, ready bigint, running bigint, oldest_ready timestamptz)"
            " where r.ready > 0 or r.running > 0 order by r.oldest_ready nulls last, r.queue limit 8")
            ", 'workers', " ROWS("select w.* from queues.top_workers() as w limit 8")
            ", 'running', " ROWS("select w.* from queues.top_running() as w limit 8")
            ", 'failures', " ROWS("select w.* from queues.top_failures() as w limit 8")
            ") from (select queues.open_counts() as doc offset 0) as c"},
    {.path = "/search", .title = "Search", .write = search_write, .arguments = {"q"},
        .sql = "select jsonb_build_object('rows', " ROWS("select f.kind, f.id, f.title from queues.find($1) as f limit 100") ")"},

    {.path = "/tasks", .title = "Tasks", .write = tasks_write, .refresh_s = 5,
        .arguments = {"state", "outcome", "type", "queue", "since", "until", "error", "cursor"},
        .sql = "select queues.list_tasks($1, $2, $3, $4, " PAST("$5") ", " PAST("$6") ", " PATTERN("$7") ", $8, 50)"},
    {.path = "/tasks/{#}", .title = "Task", .write = task_write, .refresh_s = 5,
        .sql = "select s.doc || jsonb_build_object('attempt', (select a.attempt from queues.task_chain as a where a.task_id = $1::bigint),"
            " 'why', (select to_jsonb(w.*) from queues.why($1::bigint) as w), 'history', "
            ROWS("select h.* from queues.task_story($1::bigint) as h limit 500") ") from (select queues.show_task($1::bigint) as doc offset 0) as s"
            " where s.doc is not null"},

    {.path = "/queues", .title = "Queues", .write = queues_write, .refresh_s = 5,
        .sql = "select c.doc || jsonb_build_object('queues', (select coalesce(jsonb_agg(q.row || jsonb_build_object('done', coalesce(t.done, 0),"
            " 'failed', coalesce(t.failed, 0), 'steps', coalesce(t.steps, '[]')) order by q.row->>'queue'), '[]')"
            " from jsonb_array_elements(c.doc->'queues') as q(row) left join (select s.queue, sum(s.done) as done, sum(s.failed) as failed,"
            " jsonb_agg(s.done order by s.step) as steps from (select n.queue, g.step, coalesce(sum(f.succeeded + f.other), 0) as done,"
            " coalesce(sum(f.failed), 0) as failed from (select distinct u.queue from queues.throughput as u where u.minute > now() - interval '1 hour') as n"
            " cross join generate_series(0, 11) as g(step) left join queues.throughput as f on f.queue = n.queue"
            " and f.minute >= date_trunc('minute', now()) - (12 - g.step) * interval '5 minutes'"
            " and f.minute < date_trunc('minute', now()) - (11 - g.step) * interval '5 minutes' group by n.queue, g.step) as s"
            " group by s.queue) as t on t.queue = q.row->>'queue')) from (select queues.open_counts() as doc) as c"},

    {.path = "/processes", .title = "Processes", .write = processes_write, .refresh_s = 5,
        .arguments = {"state", "supervisor", "since", "until", "cursor"},
        .sql = "select queues.list_processes($1, $2, " PAST("$3") ", " PAST("$4") ", $5, 50)"},
    /* Runs and their facts are for operators.  One run more than is shown is there to compare with. */
    {.path = "/processes/{#}", .title = "Process", .write = process_write, .right = PAGE_OPERATOR, .refresh_s = 5, .arguments = {"cursor"},
        .sql = "select to_jsonb(p.*) || jsonb_build_object('why', (select to_jsonb(w.*) from queues.why_process(p.process_id) as w), 'children', "
            ROWS("select c.process_id, c.supervisor, c.ids, c.state, c.last_status, c.end_reason from queues.process_state as c"
                " where c.parent_process_id = $1::bigint order by c.process_id limit 200")
            ", 'tasks', " ROWS("select s.task_id, s.task_type, s.state, s.status, s.scheduled_at, s.completed_at from (select t.task_id from queues.task as t"
                " where t.process_id = $1::bigint order by t.task_id desc limit 20) as n cross join lateral (select y.* from queues.task_state as y"
                " where y.task_id = n.task_id offset 0) as s order by s.task_id desc")
            ", 'runs_seen', r.docs, 'cursor', r.cursor) from queues.process_state as p cross join lateral (select coalesce(jsonb_agg(to_jsonb(x.*)"
            " order by x.run_no desc), '[]') as docs, case when count(*) > 50 then (array_agg(x.run_no order by x.run_no desc))[50]::text end as cursor"
            " from (select y.run_no, y.task_id, y.ran_at, y.status, y.failed, y.facts, y.enqueued, y.next_run_at, y.quiet_runs, y.idle_runs"
            " from queues.process_run as y where y.process_id = $1::bigint and ($2::integer is null or y.run_no < $2::integer)"
            " order by y.run_no desc limit 51) as x) as r where p.process_id = $1::bigint"},
    {.path = "/processes/{#}", .title = "Process", .write = process_write, .refresh_s = 5,
        .sql = "select to_jsonb(p.*) || jsonb_build_object('why', (select to_jsonb(w.*) from queues.why_process(p.process_id) as w), 'children', "
            ROWS("select c.process_id, c.supervisor, c.ids, c.state, c.last_status, c.end_reason from queues.process_state as c"
                " where c.parent_process_id = $1::bigint order by c.process_id limit 200") ") from queues.process_state as p where p.process_id = $1::bigint"},

    {.path = "/commands", .title = "Commands", .write = commands_write, .right = PAGE_OPERATOR, .refresh_s = 5,
        .arguments = {"command", "state", "queue", "cursor"},
        .sql = "select worker.list_commands($1, $2, $3, $4, 50) || jsonb_build_object('registered', " ROWS("select r.command, r.handler_procedure, r.queue,"
            " r.dedup_policy, r.dedup_keys, r.timeout, r.description from worker.command_registry as r order by r.command limit 200") ")"},
    {.path = "/commands", .title = "Commands", .write = commands_write, .refresh_s = 5, .arguments = {"command", "state", "queue", "cursor"},
        .sql = "select worker.list_commands($1, $2, $3, $4, 50)"},
    {.path = "/commands/{#}", .title = "Command", .write = command_write, .refresh_s = 5, .sql = "select worker.show_command($1::bigint)"},

    {.path = "/jobs", .title = "HTTP jobs", .write = jobs_write, .refresh_s = 5, .arguments = {"status", "type", "url", "since", "until", "cursor"},
        .sql = "select pgqueue.list_jobs($1, $2, $3, " PAST("$4") ", " PAST("$5") ", $6, 50)"},
    {.path = "/jobs/{#}", .title = "Job", .write = job_write, .right = PAGE_OPERATOR, .refresh_s = 5,
        .sql = "select to_jsonb(j.*) || jsonb_build_object('why', (select to_jsonb(w.*) from pgqueue.why_job(j.job_id) as w), 'runs', "
            ROWS("select r.job_run as run, r.task_id, t.scheduled_at as due, c.completed_at as ended, coalesce(c.status, c.outcome) as status,"
                " coalesce(f.response_status, e.response_status) as answer, left(coalesce(f.response_content, e.response_content), 200) as content"
                " from pgqueue.job_run as r join queues.task as t on t.task_id = r.task_id left join queues.task_completed as c on c.task_id = r.task_id"
                " left join pgqueue.failed_log as f on f.job_id = r.job_id and f.job_run = r.job_run left join pgqueue.job_ended as e"
                " on e.job_id = r.job_id and e.job_run = r.job_run where r.job_id = $1::bigint order by r.job_run desc limit 100")
            ") from pgqueue.job_queue as j where j.job_id = $1::bigint"},
    {.path = "/jobs/{#}", .title = "Job", .write = job_write, .refresh_s = 5,
        .sql = "select to_jsonb(j.*) || jsonb_build_object('why', (select to_jsonb(w.*) from pgqueue.why_job(j.job_id) as w))"
            " from pgqueue.job_queue as j where j.job_id = $1::bigint"},
    {.path = "/webhooks", .title = "Webhooks", .write = webhooks_write, .refresh_s = 10,
        .sql = "select jsonb_build_object('rows', " ROWS("select w.name, w.table_schema, w.table_name, w.events, w.url, w.enabled,"
            " case when w.enabled then 'enabled' else 'disabled' end as state, w.disabled_reason from pgqueue.webhooks as w order by w.name limit 500") ")"},
    {.path = "/webhooks/{}", .title = "Webhook", .write = webhook_write, .refresh_s = 10,
        .sql = "select to_jsonb(w.*) || jsonb_build_object('state', case when w.enabled then 'enabled' else 'disabled' end,"
            " 'jobs', pgqueue.list_jobs(_url => w.url, _limit => 20)->'rows') from pgqueue.webhooks as w where w.name = $1"},

    {.path = "/messages", .title = "Messages", .write = messages_write, .right = PAGE_OPERATOR, .module = "comms", .refresh_s = 10,
        .arguments = {"channel", "to", "cursor"},
        .sql = PAGE_OF(MESSAGES " where ($1::text is null or m.channel::text = $1) and ($2::text is null or coalesce(e.to_address, s.to_number) = $2)"
            " and ($3::bigint is null or m.message_id < $3::bigint) order by m.message_id desc limit 51", "message_id", "50")},
    {.path = "/messages/{#}", .title = "Message", .write = message_write, .right = PAGE_OPERATOR, .module = "comms", .refresh_s = 10,
        .sql = "select to_jsonb(q.*) || jsonb_build_object('body', coalesce(e.html, s.body), 'from_address', e.from_address, 'attempts', "
            ROWS(ATTEMPTS("email") " union all " ATTEMPTS("sms") " order by created_at") ", 'process_id', coalesce(" PROCESS_OF("email") ", " PROCESS_OF("sms") ")) from (" MESSAGES " where m.message_id = $1::bigint) as q"
            " left join comms.email_message as e on e.message_id = q.message_id left join comms.sms_message as s on s.message_id = q.message_id"},

    {.path = "/schedules", .title = "Schedules", .write = schedules_write, .refresh_s = 10, .arguments = {"state", "name", "cursor"},
        .sql = "select jsonb_build_object('rows', coalesce(jsonb_agg(to_jsonb(x.*) order by x.schedule_name) filter (where x.nth <= 100), '[]'),"
            " 'cursor', case when count(*) > 100 then (array_agg(x.schedule_name order by x.nth))[100] end)"
            " from (select s.*, row_number() over (order by s.schedule_name) as nth from queues.schedule_state as s"
            " where ($1::text is null or s.state = $1) and ($2::text is null or starts_with(s.schedule_name, $2))"
            " and ($3::text is null or s.schedule_name > $3) order by s.schedule_name limit 101) as x"},
    {.path = "/schedules/{}", .title = "Schedule", .write = schedule_write, .refresh_s = 10,
        .sql = "select to_jsonb(s.*) || jsonb_build_object('next', " ROWS("select n.scheduled_for, n.local_time from queues.next_fires($1, 10) as n")
            ", 'fires', " ROWS("select f.decision, f.first_slot, case when f.slots <> 1 then f.last_slot end as last_slot, f.slots, f.decided_at, f.task_id, f.late,"
                " internal.slot_outcome(f.task_id) as outcome from queues.schedule_fire as f where f.schedule_name = $1 order by f.fire_id desc limit 60")
            ") from queues.schedule_state as s where s.schedule_name = $1"},

    /* Closed hosts and task types are for operators. */
    {.path = "/workers", .title = "Workers", .write = workers_write, .right = PAGE_OPERATOR, .refresh_s = 5, .arguments = {"id"},
        .sql = "select jsonb_build_object('rows', " ROWS(WORKERS) ", 'closed', " ROWS("select c.host, c.until as closed_until, s.worker_name from queues.worker_seen as w"
            " join queues.worker_started as s on s.worker_id = w.worker_id cross join lateral unnest(w.closed, w.closed_until) as c(host, until)"
            " where c.until > now() limit 200") ", 'types', " ROWS("select t.task_type, t.adapter, t.kind, t.default_queue, t.timeout, t.max_crashes,"
            " t.on_in_doubt, t.before_required, t.description from queues.registered_task_type as t order by t.task_type limit 500") ")"},
    {.path = "/workers", .title = "Workers", .write = workers_write, .refresh_s = 5, .arguments = {"id"},
        .sql = "select jsonb_build_object('rows', " ROWS(WORKERS) ")"},
    {.path = "/doctor", .title = "Doctor", .write = doctor_write, .right = PAGE_OPERATOR, .arguments = {"check"},
        .sql = "select jsonb_build_object('advice', " ROWS("select a.area, a.problem, a.hint from queues.advise() as a")
            ") || case when $1::text is not null then jsonb_build_object('violations', " ROWS("select v.* from unnest(array['working_set', 'trees']) as p(part)"
            " cross join lateral queues.check_part(p.part, true) as v where $1::text is not null") ") else '{}' end"},

    {.path = "/bulk", .title = "Bulk acts", .write = bulk_list_write, .refresh_s = 5, .arguments = {"cursor"},
        .sql = PAGE_OF("select b.act_id, b.kind, b.state, b.counted, b.done, b.skipped, b.refused, b.remaining, b.made_at, b.made_by, b.started_at"
            " from queues.bulk_state as b where $1::bigint is null or b.act_id < $1::bigint order by b.act_id desc limit 11", "act_id", "10")},
    {.path = "/bulk/{#}", .title = "Bulk act", .write = bulk_write, .right = PAGE_OPERATOR, .refresh_s = 2,
        .sql = "select to_jsonb(b.*) || jsonb_build_object('examples', case when b.kind like 'task%' then " ROWS("select s.task_id, s.task_type, s.queue, s.state, s.status,"
            " s.completed_at as ended_at, s.last_error " TARGETS " cross join lateral (select y.* from queues.task_state as y where y.task_id = t.target_id offset 0) as s")
            " when b.kind like 'process%' then " ROWS("select s.process_id, s.supervisor, s.state, s.end_reason as status, s.ended_at " TARGETS
            " cross join lateral (select y.* from queues.process_state as y where y.process_id = t.target_id offset 0) as s")
            " else " ROWS("select s.job_id, s.job_type as task_type, s.url, s.job_status as status " TARGETS
            " cross join lateral (select y.* from pgqueue.job_queue as y where y.job_id = t.target_id offset 0) as s")
            " end, 'problems', " ROWS("select d.target_id, d.result, d.message from queues.bulk_done as d where d.act_id = $1::bigint and d.result <> 'done'"
            " order by d.target_id limit 50") ") from queues.bulk_state as b where b.act_id = $1::bigint"},
    {.path = "/bulk/{#}", .title = "Bulk act", .write = bulk_write, .refresh_s = 2,
        .sql = "select to_jsonb(b.*) from queues.bulk_state as b where b.act_id = $1::bigint"},
    /* It looks at the newest 20,000 acts. */
    {.path = "/audit", .title = "Audit", .write = audit_write, .right = PAGE_OPERATOR, .refresh_s = 10,
        .arguments = {"actor", "action", "object", "since", "cursor"},
        .sql = PAGE_OF("select a.audit_id, a.acted_at, a.actor, a.action, a.object, a.detail from (select y.* from queues.audit as y"
            " where $5::bigint is null or y.audit_id < $5::bigint order by y.audit_id desc limit 20000) as a where ($1::text is null or a.actor = $1)"
            " and ($2::text is null or a.action = $2) and ($3::text is null or a.object = $3) and ($4::text is null or a.acted_at >= " PAST("$4") ")"
            " order by a.audit_id desc limit 51", "audit_id", "50")},
};
/* clang-format on */
const int page_count = (int)LENGTH(pages);
