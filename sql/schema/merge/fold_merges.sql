-- internal.fold_merges(_worker_id, _task_id, _lease_no)
-- The payload for the run of a command, with all merges folded in.  It is recorded as a fact and kept with the lease.  It is
-- fenced, because it can be called by itself.
create or replace function internal.fold_merges(_worker_id uuid, _task_id bigint, _lease_no integer) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row constant queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
    _task queues.task;
    _payload jsonb;
    _merges jsonb[];
begin
    if _row.task_id is null then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded, unknown or of another worker', _lease_no, _task_id);
    end if;
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    _payload := coalesce(_row.payload, _task.payload);
    -- failpoint: fold.before_take
    _merges := internal.take_merges(_task_id, _lease_no - 1, _row.priority);
    -- failpoint: fold.after_take
    if _merges is null then
        return _payload;
    end if;
    _payload := internal.folded(_task.payload->>'command', array_prepend(_payload, _merges));
    insert into queues.task_folded (task_id, lease_no, folded_at, merges, payload)
    values (_task_id, _lease_no, queues.clock(), cardinality(_merges), _payload);
    update queues.running as r set payload = _payload where r.task_id = _task_id;
    return _payload;
end
$$;
comment on function internal.fold_merges(uuid, bigint, integer) is 'Folds the merges of a command, for its run.';

-- internal.drop_merges(_worker_id, _task_id, _lease_no)
-- Removes the merges without folding, after folding has failed: they fail together with the task.
create or replace function internal.drop_merges(_worker_id uuid, _task_id bigint, _lease_no integer) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row constant queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
begin
    if _row.task_id is not null then
        perform internal.take_merges(_task_id, _lease_no - 1, _row.priority);
    end if;
end
$$;
comment on function internal.drop_merges(uuid, bigint, integer) is 'Removes the merges of a command that cannot fold them.';
