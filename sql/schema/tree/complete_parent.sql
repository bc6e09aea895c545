-- internal.complete_parent(_task_id)
-- Completes a waiting parent that has no open children any more, and returns its own parent.  It checks this itself, because it can
-- be called by itself.
create or replace function internal.complete_parent(_task_id bigint) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
    _done worker.handler_done;
    _family record;
begin
    perform 1 from worker.task_parent as p where p.task_id = _task_id for no key update;
    _row := internal.lock_ready(_task_id);
    if _row.phase is distinct from 'w' or internal.has_open_children(_task_id) then
        return null;
    end if;
    select h.* into _done from worker.handler_done as h where h.task_id = _task_id;
    _family := internal.tree_end(_task_id, _done.info);
    delete from queues.ready as r
    where r.queue_id = _row.queue_id and r.priority = _row.priority and r.available_at = _row.available_at and r.task_id = _task_id;
    insert into queues.task_completed (task_id, completed_at, outcome, started_at, result)
    values (_task_id, queues.clock(), _family.outcome, _done.started_at, _family.info);
    if _family.outcome = 'failed' then
        perform internal.record_error(_task_id, _done.lease_no, 'One or more child tasks failed', null, 'engine');
    end if;
    perform internal.notify_end(_task_id);
    return _row.parent_id;
end
$$;
comment on function internal.complete_parent(bigint) is 'Completes a parent whose children have ended.';
