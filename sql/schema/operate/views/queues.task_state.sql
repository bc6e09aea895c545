-- queues.task_state
-- Every task and its state.  One statement reads ready, running and completed, so a task that moves is seen once.
create or replace view queues.task_state as
select t.task_id, t.task_type, t.queue, coalesce(w.priority, t.priority) as priority, t.enqueued_at, t.scheduled_at,
       w.state, w.available_at,
       (select min(l.leased_at) from queues.task_lease as l where l.task_id = t.task_id) as dequeued_at,
       w.lease_no, w.expires_at, w.outcome, w.status, w.started_at, w.completed_at,
       -- The text may repeat data.  A role that may not see payloads sees only the source of the error.
       (select case when pg_has_role('queues_operator', 'member') then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
        from queues.error as e where e.task_id = t.task_id order by e.error_id desc limit 1) as last_error,
       t.process_id, coalesce(t.is_supervisor_run, false) as is_supervisor_run, t.parent_id, t.origin_task_id, t.retry_of,
       case when pg_has_role('queues_operator', 'member') then t.payload end as payload,
       case when pg_has_role('queues_operator', 'member') then w.result end as result
from queues.task as t
join (
    select r.task_id, r.priority, internal.ready_state(r.phase, r.available_at, clock_timestamp()) as state, r.available_at,
           nullif(r.lease_no, 0) as lease_no, null::timestamptz as expires_at, null::text as outcome, null::text as status,
           null::timestamptz as started_at, null::timestamptz as completed_at, null::jsonb as result
    from queues.ready as r
    union all
    select r.task_id, r.priority, case when internal.is_executing(r.task_id) then 'executing' else 'running' end, null,
           r.lease_no, r.expires_at, null, null, null, null, null
    from queues.running as r
    union all
    select c.task_id, null, 'completed', null, c.lease_no, null, c.outcome, coalesce(c.status, c.outcome), c.started_at,
           c.completed_at, c.result
    from queues.task_completed as c
) as w on w.task_id = t.task_id;
comment on view queues.task_state is 'Every task and its state; payload, result and texts of errors only for operators.';
