-- worker.tasks
-- Every command and its state.  An insert enqueues a command: command, payload, priority, scheduled_at and parent_id may be given.
-- There is one branch per place where a task can be.  Completed tasks have two branches, with the state as a constant, in the order
-- of their ids.  So a query for open commands never reads history, a query for failures reads only failures, and the newest are
-- found from the end.  Columns that need a lookup of their own are fetched outside the branches, for the remaining rows.
create or replace view worker.tasks as
select w.id, w.command, w.priority, w.created_at, w.state,
       coalesce((select d.started_at from worker.handler_done as d where d.task_id = w.id), w.started_at) as process_start_at,
       coalesce((select d.done_at from worker.handler_done as d where d.task_id = w.id),
                case when w.started_at is not null then w.completed_at end) as process_stop_at,
       w.completed_at,
       round(extract(epoch from coalesce(
           (select d.done_at - d.started_at from worker.handler_done as d where d.task_id = w.id),
           w.completed_at - w.started_at))::numeric * 1000, 3) as process_duration_ms,
       -- From the first lease on, if there were several.
       round(extract(epoch from w.completed_at - case when w.lease_no > 1
           then (select l.leased_at from queues.task_lease as l where l.task_id = w.id and l.lease_no = 1)
           else w.started_at end)::numeric * 1000, 3) as completion_duration_ms,
       case when w.state = 'failed' then coalesce(
           case when w.outcome = 'cancelled' then coalesce(w.result->>'reason',
                    (select c.reason from queues.task_cancel_requested as c where c.task_id = w.id))
                -- An error of an after hook changes nothing.
                else (select case when pg_has_role('queues_operator', 'member') then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
                      from queues.error as e
                      where e.task_id = w.id and e.source is distinct from 'after_procedure'
                      order by e.error_id desc limit 1) end,
           w.outcome) end as error,
       w.scheduled_at,
       case when w.state = 'processing' then coalesce(internal.run_pid(w.id),
           (select h.backend_pid from queues.holder as h where h.holder_id = w.holder_id)) end as worker_pid,
       case when not pg_has_role('queues_operator', 'member') then null
            -- The payload with its merges so far, or the payload of the last run.
            when w.state = 'pending' and (select true from queues.merging as m where m.task_id = w.id limit 1)
                then internal.shown_payload(w.id, w.payload)
            else coalesce((select f.payload from queues.task_folded as f where f.task_id = w.id order by f.lease_no desc limit 1),
                          w.payload) end as payload,
       w.parent_id, (select p.child_mode from worker.task_parent as p where p.task_id = w.id) as child_mode, w.depth,
       case when not pg_has_role('queues_operator', 'member') then null
            when w.outcome in ('succeeded', 'failed') then w.result
            when w.outcome is null and (select true from worker.handler_done as d where d.task_id = w.id)
                then internal.tree_info(w.id) end as info,
       w.queue,
       coalesce((select d.done_at from worker.handler_done as d where d.task_id = w.id),
                case when w.started_at is not null then w.completed_at end) as processed_at,
       round(extract(epoch from coalesce(
           (select d.done_at - d.started_at from worker.handler_done as d where d.task_id = w.id),
           w.completed_at - w.started_at))::numeric * 1000, 3) as duration_ms,
       -- Merges so far that a merge function will fold.
       case when w.state = 'pending' and (select true from queues.merging as m where m.task_id = w.id limit 1)
            then internal.shown_merges(w.id, w.payload) end as merges
from (
    select t.task_id as id, t.payload->>'command' as command, r.priority, t.enqueued_at as created_at,
           case when r.phase in ('w', 'h') then 'waiting'
                when r.lease_no > 0 and (select e.how in ('expired', 'abandoned') from queues.task_lease_ended as e
                     where e.task_id = r.task_id and e.lease_no = r.lease_no) then 'interrupted'
                else 'pending' end as state,
           null::timestamptz as started_at, null::timestamptz as completed_at, nullif(t.scheduled_at, t.enqueued_at) as scheduled_at,
           null::integer as lease_no, null::integer as holder_id, t.payload, null::text as outcome, null::jsonb as result,
           t.parent_id, coalesce(t.depth, 0) as depth, t.queue
    from queues.ready as r
    join queues.task as t on t.task_id = r.task_id and t.task_type = 'command'
    union all
    select t.task_id, t.payload->>'command', r.priority, t.enqueued_at,
           case when r.expires_at >= clock_timestamp() or internal.is_executing(r.task_id) then 'processing' else 'interrupted' end,
           r.leased_at, null::timestamptz, nullif(t.scheduled_at, t.enqueued_at), r.lease_no, r.holder_id, t.payload, null::text,
           null::jsonb, t.parent_id, coalesce(t.depth, 0), t.queue
    from queues.running as r
    join queues.task as t on t.task_id = r.task_id and t.task_type = 'command'
    union all
    (select t.task_id, t.payload->>'command', t.priority, t.enqueued_at, 'completed'::text, c.started_at, c.completed_at,
            nullif(t.scheduled_at, t.enqueued_at), c.lease_no, null::integer, t.payload, c.outcome, c.result, t.parent_id,
            coalesce(t.depth, 0), t.queue
     from queues.task as t
     join queues.task_completed as c on c.task_id = t.task_id and c.outcome in ('succeeded', 'non_success', 'superseded')
     where t.task_type = 'command'
     order by t.task_id desc)
    union all
    (select t.task_id, t.payload->>'command', t.priority, t.enqueued_at, 'failed'::text, c.started_at, c.completed_at,
            nullif(t.scheduled_at, t.enqueued_at), c.lease_no, null::integer, t.payload, c.outcome, c.result, t.parent_id,
            coalesce(t.depth, 0), t.queue
     from queues.task as t
     join queues.task_completed as c on c.task_id = t.task_id and c.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt')
     where t.task_type = 'command'
     order by t.task_id desc)
) as w;
comment on view worker.tasks is 'Every command and its state; payload and info only for operators. Insert to enqueue.';
