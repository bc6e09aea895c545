-- internal.lease_next(_worker_id, _queue, _max_priority, _only_mine, _until)
-- Leases the next due task of database work for a run in the caller's transaction.  If there is a test clock, it is moved to the
-- next due time of a task or a schedule, up to _until; schedules that are due fire first.  prepares: the task has a before step, which comes first.
-- A visible row whose writer is still in progress was written by this transaction.
create or replace function internal.lease_next(_worker_id uuid, _queue text, _max_priority bigint, _only_mine boolean,
        _until timestamptz, out task_id bigint, out lease_no integer, out prepares boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _queue_id constant integer := case when _queue is not null then internal.require_queue(_queue) end;
    _now timestamptz := queues.clock();
    -- Without a test clock nothing is run ahead of time, even if this step is called by itself.
    _horizon constant timestamptz := case when internal.test_clock_at() is not null then _until end;
    _fire_at timestamptz; -- next decision about a schedule
    _row queues.ready;
begin
    loop
        _fire_at := internal.next_fire_in_test(_only_mine);
        if _fire_at <= _now then
            perform internal.fire_in_test(_only_mine);
            _fire_at := internal.next_fire_in_test(_only_mine);
        end if;
        if exists (select 1 from queues.merging) then
            perform internal.rehome_merges(_only_mine);
            if _only_mine then
                perform internal.rehome_own_merges();
            end if;
        end if;
        for _row in
            select r.* from queues.ready as r
            join queues.registered_task_type as y on y.type_id = r.type_id and y.kind in ('run', 'prepared')
            join queues.queue as q on q.queue_id = r.queue_id
            where (_queue_id is null or r.queue_id = _queue_id)
              and (_max_priority is null or r.priority <= _max_priority)
              and r.available_at <= greatest(_now, _horizon)
              and (not _only_mine or (internal.is_ours(r.xmin) and exists (
                      select 1 from queues.task as t where t.task_id = r.task_id and internal.is_ours(t.xmin))))
            order by (r.available_at > _now), case when r.available_at > _now then r.available_at end,
                     r.priority, r.available_at, r.task_id
            for update of r skip locked
        loop
            continue when not internal.has_room(_row.queue_id, _row.parent_id, _row.phase, _row.lease_no, _only_mine);
            exit when _row.available_at > _now and _fire_at <= _row.available_at; -- the schedule comes first
            if _row.available_at > _now then
                perform queues.set_test_clock(_row.available_at);
            end if;
            perform internal.lease_row(_row, _worker_id);
            task_id := _row.task_id;
            lease_no := _row.lease_no + 1;
            prepares := coalesce((select v.is_prepared from queues.task as t
                join queues.registered_task_type as y on y.type_id = _row.type_id
                join internal.task_variant as v on v.type_id = y.type_id and v.variant = t.payload->>y.variant_key
                where t.task_id = _row.task_id and _row.phase is null), false);
            return;
        end loop;
        exit when (_fire_at <= _horizon) is not true;
        perform queues.set_test_clock(greatest(_fire_at, _now));
        _now := queues.clock();
    end loop;
end
$$;
comment on function internal.lease_next(uuid, text, bigint, boolean, timestamptz) is
    'Leases the next due task for a run in this transaction.';
