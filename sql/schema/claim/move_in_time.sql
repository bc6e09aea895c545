-- internal.move_in_time(_row, _at, _reason)
-- Gives a waiting task another time.  The caller holds its ready row.
create or replace function internal.move_in_time(_row queues.ready, _at timestamptz, _reason text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    update queues.ready as r set available_at = _at
    where r.queue_id = _row.queue_id and r.priority = _row.priority
      and r.available_at = _row.available_at and r.task_id = _row.task_id;
    perform internal.record_change(_row.task_id, _reason, null, _at, _row.priority, _row.lease_no);
    -- As internal.wake_workers: only if a worker sleeps.
    if _at <= clock_timestamp() + interval '1 second' and not pg_try_advisory_xact_lock_shared(20545, 2) then
        perform pg_notify('worker_tasks', q.queue) from queues.queue as q where q.queue_id = _row.queue_id;
    end if;
end
$$;
comment on function internal.move_in_time(queues.ready, timestamptz, text) is 'Gives a waiting task another time.';
