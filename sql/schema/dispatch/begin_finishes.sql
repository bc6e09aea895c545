-- internal.begin_finishes(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors)
-- First step of queues.finish_batch: locks the running rows, and loads the calls of plain cases (is_plain): a success without a
-- remark, for a channel task that is still ours, with a registered success handler or none.  The rows are in the order given.
create or replace function internal.begin_finishes(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _outcomes text[],
        _results jsonb[], _errors text[])
    returns table (n bigint, task_id bigint, lease_no integer, is_plain boolean, payload jsonb, handler text, call text,
                   process_id bigint, started_at timestamptz, result jsonb)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
begin
    return query
        select w.n, w.task_id, w.lease_no,
               coalesce(w.error is null and y.kind = 'call' and (y.hooks ? 'finish') is not true
                   and (w.outcome = 'succeeded' or (w.outcome = 'answered' and (w.result->>'status') ~ '^2[0-9][0-9]$'
                                                    and (select a.answers from internal.adapter as a where a.adapter = y.adapter)))
                   and (f.call is not null or not p.payload ? 'success_handler'), false),
               p.payload, p.payload->>'success_handler', f.call, r.process_id, r.leased_at, internal.bounded(w.result)
        from unnest(_task_ids, _lease_nos, _outcomes, _results, _errors) with ordinality
            as w(task_id, lease_no, outcome, result, error, n)
        left join lateral (
            select x.* from queues.running as x
            where x.task_id = w.task_id and x.lease_no = w.lease_no
              and exists (select 1 from queues.holder as h where h.holder_id = x.holder_id and h.worker_id = _worker_id)
            for update skip locked) as r on true
        left join queues.registered_task_type as y on y.type_id = r.type_id
        left join queues.task as t on t.task_id = r.task_id
        cross join lateral (select coalesce(r.payload, t.payload)) as p(payload)
        left join internal.allowed_function as f on f.function_name = p.payload->>'success_handler'
            and f.enabled and (f.kind = 'success' or internal.fits_position(f.kind, 'success_handler'))
        order by w.n;
end
$$;
comment on function internal.begin_finishes(uuid, bigint[], integer[], text[], jsonb[], text[]) is
    'Fences and loads leases to record their results.';
