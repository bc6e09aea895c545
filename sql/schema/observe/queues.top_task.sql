-- queues.top_task(_task_id)
-- A task as lines of a screen: a label and a text, in the order of reading; no row: there is no such task.  Payload, result and
-- error messages are for operators.  It reads facts by their keys.
create or replace function queues.top_task(_task_id bigint) returns table (label text, line text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
    _task queues.task;
    _done queues.task_completed;
begin
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    if _task.task_id is null then
        return;
    end if;
    select c.* into _done from queues.task_completed as c where c.task_id = _task_id;
    return query
        select v.label, v.line
        from (values
            ('task', _task_id::text), ('type', _task.task_type::text), ('queue', _task.queue), ('priority', _task.priority::text),
            ('state', case when _done.task_id is not null then 'completed'
                           when (select true from queues.running as r where r.task_id = _task_id) then 'running'
                           else 'waiting' end),
            ('enqueued', _task.enqueued_at::text), ('scheduled', _task.scheduled_at::text), ('retry of', _task.retry_of::text),
            ('process', _task.process_id::text), ('parent', _task.parent_id::text), ('outcome', _done.outcome),
            ('status', _done.status), ('completed', _done.completed_at::text),
            ('payload', case when _sees_texts then left(_task.payload::text, 4000) end),
            ('result', case when _sees_texts then left(_done.result::text, 4000) end)) as v(label, line)
        where v.line is not null;
    return query
        select 'lease ' || l.lease_no, l.leased_at::text || coalesce(' by ' || w.worker_name, '')
        from (select x.lease_no, x.leased_at, x.holder_id from queues.task_lease as x where x.task_id = _task_id
              order by x.lease_no desc limit 20) as l
        left join queues.holder as h on h.holder_id = l.holder_id
        left join queues.worker_started as w on w.worker_id = h.worker_id
        order by l.lease_no;
    return query
        select 'error', e.created_at::text || ' '
               || case when _sees_texts then left(e.error_message, 1000) else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
        from (select x.error_id, x.created_at, x.error_message, x.source, x.sqlstate from queues.error as x
              where x.task_id = _task_id order by x.error_id desc limit 20) as e
        order by e.error_id;
end
$$;
comment on function queues.top_task(bigint) is 'A task as lines of a screen.';
