-- internal.record_command()
-- Row trigger of worker.command_registry: audits the change, notifies running workers, and refuses to delete a command that has
-- open tasks.
create or replace function internal.record_command() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'DELETE' then
        if exists (select 1 from (select r.task_id from queues.ready as r union all select r.task_id from queues.running as r
                                  union all select m.task_id from queues.merging as m) as o
                   join queues.task as t on t.task_id = o.task_id
                   where t.task_type = 'command' and t.payload->>'command' = old.command) then
            raise exception using errcode = '55000', message = format('command "%s" has open tasks', old.command),
                hint = 'Let them finish or cancel them first.';
        end if;
        perform internal.audit('delete_command', old.command, to_jsonb(old));
        perform pg_notify('worker_queue_change', old.queue);
        return old;
    end if;
    if tg_op = 'INSERT' or new is distinct from old then
        perform internal.audit('register_command', new.command,
            case when tg_op = 'UPDATE' then jsonb_build_object('before', to_jsonb(old), 'after', to_jsonb(new)) else to_jsonb(new) end);
        perform pg_notify('worker_queue_change', new.queue);
    end if;
    return null;
end
$$;
comment on function internal.record_command() is 'Records a change of a command.';
