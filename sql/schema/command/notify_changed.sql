-- internal.notify_changed(_task_ids)
-- Notifies listeners of the new state of these commands, if the setting notify_task_changes is on.
create or replace function internal.notify_changed(_task_ids bigint[]) returns void
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select pg_notify('worker_task_changed', jsonb_build_object('id', t.task_id, 'parent_id', t.parent_id)::text)
    from queues.task as t
    where t.task_id = any(_task_ids) and t.task_type = 'command'
      and (select c.value = 'true' from internal.config as c where c.key = 'notify_task_changes')
$$;
comment on function internal.notify_changed(bigint[]) is 'Notifies listeners of commands that changed their state.';
