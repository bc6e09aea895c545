-- internal.move_to_ready(_row, _at)
-- Makes a leased task wait again, from _at on, and notifies a sleeping worker.  The caller holds the running row and has recorded
-- the end of the lease.
create or replace function internal.move_to_ready(_row queues.running, _at timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from queues.running as r where r.task_id = _row.task_id;
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, lease_no, phase, crash_count,
        retry_count, handler_failures, max_crashes, is_supervisor_run, process_id, parent_id, timeout, destination, payload, is_retry)
    values (_row.queue_id, _row.priority, _at, _row.task_id, _row.type_id, _row.lease_no, _row.phase, _row.crash_count,
        _row.retry_count, _row.handler_failures, _row.max_crashes, _row.is_supervisor_run, _row.process_id, _row.parent_id,
        _row.timeout, _row.destination, _row.payload, _row.is_retry);
    perform internal.notify_changed(array[_row.task_id]);
    perform internal.wake_workers(q.queue, _at, true) from queues.queue as q where q.queue_id = _row.queue_id;
end
$$;
comment on function internal.move_to_ready(queues.running, timestamptz) is 'Puts a leased task back into the working set.';
