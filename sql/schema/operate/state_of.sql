-- internal.state_of(_task_id)
-- The state of one task, found by its key in the working set.
create or replace function internal.state_of(_task_id bigint) returns text
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (select 'completed' from queues.task_completed as c where c.task_id = _task_id),
        (select case when internal.is_executing(r.task_id) then 'executing' else 'running' end
         from queues.running as r where r.task_id = _task_id),
        (select internal.ready_state(r.phase, r.available_at, queues.clock())
         from internal.ready_key(_task_id) as k
         join queues.ready as r on r.queue_id = k.queue_id and r.priority = k.priority
              and r.available_at = k.available_at and r.task_id = _task_id))
$$;
comment on function internal.state_of(bigint) is 'State of one task.';
