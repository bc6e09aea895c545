-- internal.insert_task()
-- Trigger of view worker.tasks: an insert enqueues a command, or merges it; anything else is refused.
create or replace function internal.insert_task() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op <> 'INSERT' then
        raise exception using errcode = '0A000', message = format('%s on worker.tasks is not supported', lower(tg_op)),
            hint = 'Use queues.cancel_task, queues.retry_task or queues.reschedule_task.';
    end if;
    -- The view may have any columns: during a migration it may be an older one.
    if jsonb_strip_nulls(to_jsonb(new) - '{command,payload,priority,scheduled_at,parent_id}'::text[]) <> '{}' then
        raise exception using errcode = '0A000',
            message = 'only command, payload, priority, scheduled_at and parent_id may be inserted into worker.tasks';
    end if;
    new.id := internal.enqueue_command(new.command, new.payload, new.scheduled_at, new.priority, new.parent_id, null, null, null);
    return new;
end
$$;
comment on function internal.insert_task() is 'Enqueues a command that is inserted into worker.tasks.';
