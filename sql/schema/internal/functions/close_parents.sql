-- internal.close_parents(_parents, _can_call)
-- Children of these tasks have ended: completes those that waited for nothing else, then their
-- parents, upwards.  Children have greater ids than their parents, and the greatest id comes
-- first, so that all sessions lock in one order.
-- A parent with an after hook is handed to the caller, who may run user code (_can_call), with
-- what is left to do; else it becomes claimable, and a worker runs the hook and ends it.
create or replace function internal.close_parents(_parents bigint[], _can_call boolean,
        out task_id bigint, out command text, out after_call text, out payload jsonb, out rest bigint[])
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _mode worker.child_mode;
    _row queues.ready;
begin
    rest := _parents;
    loop
        task_id := (select max(p) from unnest(rest) as p);
        exit when task_id is null;
        rest := array_remove(rest, task_id);
        select p.child_mode into _mode from worker.task_parent as p where p.task_id = close_parents.task_id;
        continue when not found;
        -- While children still wait, sessions that end others need not wait for each other.
        continue when _mode = 'concurrent' and internal.hold_sibling(task_id);
        perform 1 from worker.task_parent as p where p.task_id = close_parents.task_id for no key update;
        -- failpoint: close.after_lock
        if _mode = 'serial' then
            perform internal.unblock_next(task_id);
        end if;
        continue when internal.has_open_children(task_id);
        _row := internal.lock_ready(task_id);
        continue when _row.phase is distinct from 'w';
        select c.command, c.after_call, coalesce(_row.payload, t.payload) into command, after_call, payload
        from queues.task as t left join worker.command_registry as c on c.command = t.payload->>'command'
        where t.task_id = close_parents.task_id;
        if after_call is null then
            rest := array_append(rest, internal.complete_parent(task_id));
        elsif _can_call then
            return;
        else
            update queues.ready as r set phase = 'h', available_at = queues.clock()
            where r.queue_id = _row.queue_id and r.priority = _row.priority and r.available_at = _row.available_at
              and r.task_id = _row.task_id
            returning r.available_at into _row.available_at;
            perform internal.note_change(task_id, 'children_ended', null, _row.available_at, _row.priority, _row.lease_no);
            perform internal.wake_workers(q.queue, _row.available_at, true) from queues.queue as q where q.queue_id = _row.queue_id;
        end if;
    end loop;
end
$$;
comment on function internal.close_parents(bigint[], boolean) is 'Ends parents whose children have ended.';
