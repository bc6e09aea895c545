-- queues.rebuild_working_set()
-- Compares the working set with the facts, writes only the differences, and returns the number of changed rows.  It excludes
-- enqueue and claim while it works.
create or replace function queues.rebuild_working_set() returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _changed bigint := 0;
    _n bigint;
begin
    -- The order matters: a run holds its running row, and may enqueue before it ends.
    lock table queues.running, queues.ready in exclusive mode;
    -- failpoint: rebuild.after_compare
    delete from queues.ready as r
    where not exists (select 1 from internal.expected_ready as e
                      where e.task_id = r.task_id and e.queue_id = r.queue_id and e.priority = r.priority
                        and e.available_at = r.available_at and e.lease_no = r.lease_no
                        and e.phase is not distinct from r.phase
                        and e.crash_count is not distinct from r.crash_count
                        and e.retry_count is not distinct from r.retry_count);
    get diagnostics _n = row_count;
    _changed := _changed + _n;
    delete from queues.running as r
    where not exists (select 1 from internal.expected_running as e
                      where e.task_id = r.task_id and e.lease_no = r.lease_no
                        and (e.expires_at = r.expires_at or internal.was_renewed_until(r.task_id, r.lease_no, r.expires_at)));
    get diagnostics _n = row_count;
    _changed := _changed + _n;
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, lease_no, phase, crash_count, retry_count,
        handler_failures, max_crashes, is_supervisor_run, process_id, parent_id, timeout, dedup_key, payload, destination, is_retry)
    select e.queue_id, e.priority, e.available_at, e.task_id, e.type_id, e.lease_no, e.phase, e.crash_count, e.retry_count,
        e.handler_failures, e.max_crashes, e.is_supervisor_run, e.process_id, e.parent_id, e.timeout, e.dedup_key, m.payload,
        e.destination, e.is_retry
    from internal.expected_ready as e
    cross join lateral (select case when e.has_merges then internal.merged_payload(e.task_id, e.first_payload) else e.payload end) as m(payload)
    where not exists (select 1 from queues.ready as r where r.task_id = e.task_id);
    get diagnostics _n = row_count;
    _changed := _changed + _n;
    insert into queues.running (task_id, lease_no, holder_id, queue_id, priority, leased_at, expires_at, type_id, is_limited,
        phase, crash_count, retry_count, handler_failures, max_crashes, is_supervisor_run, process_id, parent_id, timeout, payload, destination,
        is_retry, renewed_at)
    select e.task_id, e.lease_no, e.holder_id, e.queue_id, e.priority, e.leased_at, e.expires_at, e.type_id, e.is_limited,
        e.phase, e.crash_count, e.retry_count, e.handler_failures, e.max_crashes, e.is_supervisor_run, e.process_id, e.parent_id,
        e.timeout, e.payload, e.destination, e.is_retry, e.renewed_at
    from internal.expected_running as e
    where not exists (select 1 from queues.running as r where r.task_id = e.task_id);
    get diagnostics _n = row_count;
    _changed := _changed + _n;
    _changed := _changed + internal.rebuild_schedules();
    perform internal.audit('rebuild_working_set', current_database(), jsonb_build_object('changed', _changed));
    return _changed;
end
$$;
comment on function queues.rebuild_working_set() is 'Repairs the working set from the facts.';
