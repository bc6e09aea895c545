-- internal.guard_queue()
-- Row trigger of queues.queue: notifies running workers of every change.  A queue keeps its name, because tasks carry it, and cannot
-- be removed while tasks or rules refer to it.  Every change is audited, whichever way it was made.
create or replace function internal.guard_queue() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op <> 'DELETE' then
        perform internal.check_text('description', new.description, 1024);
    end if;
    if tg_op = 'UPDATE' and new.queue <> old.queue then
        raise exception using errcode = '0A000', message = 'a queue cannot be renamed';
    end if;
    if tg_op = 'DELETE' then
        if exists (select 1 from queues.ready as r where r.queue_id = old.queue_id)
           or exists (select 1 from queues.running as r where r.queue_id = old.queue_id) then
            raise exception using errcode = '55000', message = format('queue "%s" has open tasks', old.queue),
                hint = 'Let them finish or cancel them first.';
        end if;
        if exists (select 1 from queues.registered_task_type as t where t.default_queue = old.queue)
           or exists (select 1 from internal.task_variant as c where c.queue = old.queue) then
            raise exception using errcode = '55000', message = format('queue "%s" is the queue of a task type or command', old.queue);
        end if;
    end if;
    if tg_op <> 'UPDATE' or new is distinct from old then
        perform internal.audit(case when tg_op = 'INSERT' then 'create_queue' when tg_op = 'DELETE' then 'drop_queue'
                                    when new.paused_until is not distinct from old.paused_until then 'change_queue'
                                    when new.paused_until is null then 'resume_queue' else 'pause_queue' end,
            coalesce(new.queue, old.queue),
            case when tg_op <> 'DELETE' then jsonb_strip_nulls(jsonb_build_object('max_running', new.max_running,
                'top_level_limit', new.top_level_limit, 'paused_until', new.paused_until)) end);
    end if;
    perform pg_notify('worker_queue_change', coalesce(new.queue, old.queue));
    return null;
end
$$;
comment on function internal.guard_queue() is 'Notifies workers of changed queues, and keeps queues in use.';
