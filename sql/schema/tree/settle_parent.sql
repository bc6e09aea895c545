-- internal.settle_parent(_worker_id, _task_id, _lease_no, _info, _started_at)
-- After the handler of a command has returned: with open children the task waits for them, otherwise its outcome and info follow
-- from the ended ones.  is_parent false: it has no children.  The row in worker.task_parent is locked, then a new statement reads
-- the children: one that ends meanwhile waits for the lock and finds this task waiting.
create or replace function internal.settle_parent(_worker_id uuid, _task_id bigint, _lease_no integer, _info jsonb,
        _started_at timestamptz, out is_parent boolean, out waits boolean, out outcome text, out info jsonb)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
    _mode worker.child_mode;
    _now constant timestamptz := queues.clock();
begin
    is_parent := false;
    waits := false;
    outcome := 'succeeded';
    info := internal.bounded(_info);
    select p.child_mode into _mode from worker.task_parent as p where p.task_id = _task_id for no key update;
    if not found then
        return;
    end if;
    is_parent := true;
    _row := internal.lock_running(_worker_id, _task_id, _lease_no);
    if _row.task_id is null then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded, unknown or of another worker', _lease_no, _task_id);
    end if;
    -- failpoint: settle.after_lock
    waits := internal.has_open_children(_task_id);
    if not waits then
        select f.outcome, f.info into outcome, info
        from internal.tree_end(_task_id, coalesce((select h.info from worker.handler_done as h where h.task_id = _task_id), _info)) as f;
        return;
    end if;
    insert into worker.handler_done (task_id, lease_no, done_at, info, started_at)
    values (_task_id, _lease_no, _now, internal.bounded(_info), _started_at)
    on conflict (task_id) do nothing; -- the task was about to end when one more child came
    perform internal.record_lease_end(_row, 'waiting', _now, 'infinity');
    _row.phase := 'w';
    perform internal.move_to_ready(_row, 'infinity');
    if _mode = 'serial' then
        perform internal.unblock_next(_task_id);
    end if;
end
$$;
comment on function internal.settle_parent(uuid, bigint, integer, jsonb, timestamptz) is
    'Lets a command wait for its children, or returns its end.';
