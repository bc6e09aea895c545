-- internal.close_parents(_parents)
-- After children of these tasks have ended: completes those parents that waited for nothing else, then their parents, upwards.
-- Children have greater ids than their parents, and the greatest id comes first, so that all sessions lock in one order.
-- A parent with an after hook becomes claimable; a worker runs the hook under a lease and completes the parent.
create or replace function internal.close_parents(_parents bigint[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rest bigint[] := _parents;
    _id bigint;
    _mode worker.child_mode;
    _row queues.ready;
begin
    loop
        _id := (select max(p) from unnest(_rest) as p);
        exit when _id is null;
        _rest := array_remove(_rest, _id);
        select p.child_mode into _mode from worker.task_parent as p where p.task_id = _id;
        continue when not found;
        -- While children still wait, sessions that end other children need not wait for each other.
        continue when _mode = 'concurrent' and internal.hold_sibling(_id);
        perform 1 from worker.task_parent as p where p.task_id = _id for no key update;
        -- failpoint: close.after_lock
        if _mode = 'serial' then
            perform internal.unblock_next(_id);
        end if;
        continue when internal.has_open_children(_id);
        _row := internal.lock_ready(_id);
        continue when _row.phase is distinct from 'w';
        if not exists (select 1 from queues.task as t join worker.command_registry as c on c.command = t.payload->>'command'
                       where t.task_id = _id and c.after_call is not null) then
            _rest := array_append(_rest, internal.complete_parent(_id));
        else
            update queues.ready as r set phase = 'h', available_at = queues.clock()
            where r.queue_id = _row.queue_id and r.priority = _row.priority and r.available_at = _row.available_at
              and r.task_id = _row.task_id
            returning r.available_at into _row.available_at;
            perform internal.record_change(_id, 'children_ended', null, _row.available_at, _row.priority, _row.lease_no);
            perform internal.wake_workers(q.queue, _row.available_at, true) from queues.queue as q where q.queue_id = _row.queue_id;
        end if;
    end loop;
end
$$;
comment on function internal.close_parents(bigint[]) is 'Ends parents whose children have ended.';
