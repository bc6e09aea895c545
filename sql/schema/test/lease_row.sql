-- internal.lease_row(_row, _worker_id)
-- Moves one ready row, which the caller holds, to running, for a run in the caller's own
-- transaction.
create or replace function internal.lease_row(_row queues.ready, _worker_id uuid) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _holder constant integer := coalesce(internal.holder_of(_worker_id), internal.add_holder(_worker_id, null));
    _now constant timestamptz := queues.clock();
begin
    delete from queues.ready as r
    where r.queue_id = _row.queue_id and r.priority = _row.priority
      and r.available_at = _row.available_at and r.task_id = _row.task_id;
    insert into queues.running (task_id, lease_no, holder_id, queue_id, priority, leased_at, expires_at, type_id, is_limited,
        phase, crash_count, retry_count, handler_failures, max_crashes, is_supervisor_run, process_id, parent_id, timeout,
        destination, payload, is_retry)
    select _row.task_id, _row.lease_no + 1, _holder, _row.queue_id, _row.priority, _now, _now + interval '60 seconds',
        _row.type_id, (select true from queues.queue as q where q.queue_id = _row.queue_id
                       and (q.max_running is not null or q.top_level_limit is not null)),
        _row.phase, _row.crash_count, _row.retry_count, _row.handler_failures, _row.max_crashes, _row.is_supervisor_run,
        _row.process_id, _row.parent_id, _row.timeout, _row.destination, _row.payload, _row.is_retry;
    insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id, payload)
    values (_row.task_id, _now, _now + interval '60 seconds', _row.lease_no + 1, _holder, _row.payload);
    perform internal.notify_changed(array[_row.task_id]);
end
$$;
comment on function internal.lease_row(queues.ready, uuid) is 'Leases one row for a run in this transaction.';
