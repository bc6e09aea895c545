-- internal.begin_dispatches(_worker_id, _task_ids, _lease_nos)
-- First step of queues.begin_dispatch_batch: locks the running rows, and loads the calls of plain cases (is_plain): the first lease
-- of a channel task, still live, not yet announced, not to be cancelled, with a registered before handler, or without one if none
-- is needed.  All other cases go through queues.begin_dispatch.  The rows are in the order given.  is_careful: if its result stays
-- unknown, the task fails.
create or replace function internal.begin_dispatches(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, lease_no integer, is_plain boolean, adapter text, timeout interval, payload jsonb,
                   handler text, call text, process_id bigint, sends_payload boolean, is_careful boolean, attempt integer, traceparent text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := clock_timestamp();
begin
    perform internal.check_pairs(_task_ids, _lease_nos);
    return query
        select w.task_id, w.lease_no,
               coalesce(r.lease_no = 1 and r.expires_at >= _now and y.kind = 'call' and (y.hooks ? 'begin') is not true
                   and (f.call is not null or (not p.payload ? 'before_handler' and not y.before_required))
                   and (select true from queues.task_dispatched as d where d.task_id = r.task_id limit 1) is null
                   and (select true from queues.task_cancel_requested as c where c.task_id = r.task_id limit 1) is null, false),
               y.adapter, coalesce(t.timeout, y.timeout), p.payload, p.payload->>'before_handler', f.call, r.process_id,
               y.sends_payload, coalesce(t.on_in_doubt, y.on_in_doubt) = 'fail', coalesce((select a.attempt from queues.task_attempt as a where a.task_id = r.task_id), 1)::integer,
               (select x.traceparent from queues.task_trace as x where x.task_id = r.task_id)
        from unnest(_task_ids, _lease_nos) with ordinality as w(task_id, lease_no, n)
        left join lateral (
            select x.* from queues.running as x
            where x.task_id = w.task_id and x.lease_no = w.lease_no
              and exists (select 1 from queues.holder as h where h.holder_id = x.holder_id and h.worker_id = _worker_id)
            for update skip locked) as r on true
        left join queues.registered_task_type as y on y.type_id = r.type_id
        left join queues.task as t on t.task_id = r.task_id
        cross join lateral (select coalesce(r.payload, t.payload)) as p(payload)
        left join internal.allowed_function as f on f.function_name = p.payload->>'before_handler'
            and f.enabled and (f.kind = 'before' or internal.fits_position(f.kind, 'before_handler'))
        order by w.n;
end
$$;
comment on function internal.begin_dispatches(uuid, bigint[], integer[]) is 'Fences and loads calls for their announcement.';
