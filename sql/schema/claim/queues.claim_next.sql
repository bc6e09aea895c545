-- queues.claim_next(_worker_id, _queue, _priority, _after, _types, _lease, _token)
-- Leases the first due task of one queue and priority behind a time.  Settings of the session (reeve.next_*) keep its id, lease
-- and timeout, and the token of this claim.  So a program may send the run of the task, or the announcement of its call, together
-- with the claim, and the task begins without another round trip.  task_id is null if there is no such task.
-- This claim finds only the common kind: functions, and calls that send the payload, that were never abandoned, in queues without limits that are not paused, and
-- only for a session that is known as a holder (internal.this_holder).  The caller looks for all other tasks soon after, with
-- queues.claim_batch.  is_more: the lane has more tasks already.
-- This is one statement over few tables on purpose: an enqueued task waits for it, and a session that slept has cold caches.
create or replace function queues.claim_next(_worker_id uuid, _queue text, _priority bigint, _after timestamptz, _types text[],
        _lease interval, _token text,
        out task_id bigint, out lease_no integer, out last_at timestamptz, out task_type text, out timeout_ms bigint,
        out is_more boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_material = off set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _void text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        perform internal.require_read_committed('claim');
    end if;
    if _lease is null or _lease < interval '1 second' or _lease > interval '24 hours' then
        raise exception using errcode = '22023',
            message = format('lease "%s" is not between 1 second and 24 hours', coalesce(_lease::text, 'null'));
    end if;
    with next as (
        select r.ctid, t.task_type, t.timeout,
               (select h.holder_id from queues.holder as h
                where h.backend_pid = pg_backend_pid() and h.worker_id = _worker_id and h.leased_by = session_user
                order by h.holder_id desc limit 1) as holder_id
        from queues.ready as r
        join queues.registered_task_type as t on t.type_id = r.type_id
        where r.queue_id = (select q.queue_id from queues.queue as q
                            where q.queue = _queue and q.max_running is null and q.top_level_limit is null
                              and (q.paused_until is null or q.paused_until <= _now))
          and r.priority = _priority and r.available_at > _after and r.available_at <= _now
          and r.phase is null and r.crash_count is null
          and (t.kind = 'run' or t.sends_payload) and t.hooks is null and t.task_type = any(_types)
          -- failpoint: claim.in_scan
        order by r.available_at, r.task_id
        limit 1
        for update of r skip locked
    ), gone as (
        delete from queues.ready as r using next as n where r.ctid = n.ctid and n.holder_id is not null
        returning r.*, n.holder_id, n.task_type, coalesce(r.timeout, n.timeout) as limit_of_run
    ), leased as (
        insert into queues.running (task_id, lease_no, holder_id, queue_id, priority, leased_at, expires_at, type_id,
            retry_count, handler_failures, max_crashes, is_supervisor_run, process_id, parent_id, timeout, destination, payload)
        select g.task_id, g.lease_no + 1, g.holder_id, g.queue_id, g.priority, _now, _now + _lease, g.type_id,
            g.retry_count, g.handler_failures, g.max_crashes, g.is_supervisor_run, g.process_id, g.parent_id, g.timeout, g.destination,
            g.payload
        from gone as g
        -- failpoint: claim.after_delete
    ), fact as (
        insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id, payload)
        select g.task_id, _now, _now + _lease, g.lease_no + 1, g.holder_id, g.payload from gone as g
    )
    select g.task_id, g.lease_no + 1, g.available_at, g.task_type, coalesce(ceil(extract(epoch from g.limit_of_run) * 1000), 0),
           exists (select 1 from queues.ready as r
                   where r.queue_id = g.queue_id and r.priority = g.priority and r.available_at <= _now
                     and (r.available_at, r.task_id) > (g.available_at, g.task_id))
    into task_id, lease_no, last_at, task_type, timeout_ms, is_more from gone as g;
    if task_id is not null then
        _void := set_config('reeve.next_token', _token, false);
        _void := set_config('reeve.next_task_id', task_id::text, false);
        _void := set_config('reeve.next_lease_no', lease_no::text, false);
        _void := set_config('reeve.next_timeout_ms', timeout_ms::text, false);
    end if;
end
$$;
comment on function queues.claim_next(uuid, text, bigint, timestamptz, text[], interval, text) is
    'Leases one due task of the common kind.';
