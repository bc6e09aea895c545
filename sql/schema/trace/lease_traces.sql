-- internal.lease_traces(_worker_id, _first, _last, _task_ids)
-- What a worker needs to make spans of leases that it had: the leases of sampled tasks, with their trace.  Names the tasks as a range
-- of ids, or as a list if the ids are far apart.  A worker asks for hundreds of tasks at once, and most of them have no trace, so the
-- first statement reads nothing but the traces.
-- waited: seconds from the moment at which the task was due until the lease; null: the task waited for others.
-- link_task_id, link_lease_no: the lease before this one, or that of the task that this one follows; null: none.  A lease that was
-- given back counts as none: it did nothing.
-- Nothing of a lease of another worker is returned.
create or replace function internal.lease_traces(_worker_id uuid, _first bigint, _last bigint, _task_ids bigint[] default null)
    returns table (task_id bigint, lease_no integer, traceparent text, waited double precision, link_task_id bigint,
                   link_lease_no integer, attempt integer, has_before boolean, has_success boolean, has_error boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _traced bigint[];
begin
    if _task_ids is not null then
        _traced := array(select x.task_id from queues.task_trace as x
                         where x.task_id = any(_task_ids) and right(x.traceparent, 1) in ('1', '3', '5', '7', '9', 'b', 'd', 'f'));
    elsif _last - _first between 0 and 100000 then
        _traced := array(select x.task_id from queues.task_trace as x
                         where x.task_id between _first and _last and right(x.traceparent, 1) in ('1', '3', '5', '7', '9', 'b', 'd', 'f'));
    else
        raise exception using errcode = '22023', message = format('%s to %s is not a range of at most 100000 tasks', _first, _last);
    end if;
    if cardinality(_traced) = 0 then
        return;
    end if;
    return query
        select l.task_id, l.lease_no, x.traceparent, case when isfinite(w.due) then extract(epoch from l.leased_at - w.due)::double precision end,
               case when b.lease_no is not null then l.task_id else x.follows end,
               coalesce(b.lease_no, (select c.lease_no from queues.task_completed as c where c.task_id = x.follows),
                        (select m.lease_no from queues.task_lease as m where m.task_id = x.follows order by m.lease_no desc limit 1)),
               coalesce((select a.attempt from queues.task_attempt as a where a.task_id = l.task_id), 1)::integer,
               p.payload ? 'before_handler', p.payload ? 'success_handler', p.payload ? 'error_handler'
        from unnest(_traced) as i(task_id)
        cross join lateral (select y.* from queues.task_trace as y where y.task_id = i.task_id offset 0) as x
        cross join lateral (
            select y.* from queues.task_lease as y where y.task_id = i.task_id
              and (select h.worker_id from queues.holder as h where h.holder_id = y.holder_id) = _worker_id
            offset 0) as l
        cross join lateral (select y.* from queues.task as y where y.task_id = i.task_id offset 0) as t
        cross join lateral (select coalesce(l.payload, t.payload) as payload) as p
        -- As internal.ready_key, for the time before this lease.
        left join lateral (select y.available_at from queues.task_changed as y where y.task_id = i.task_id and y.lease_no = l.lease_no - 1
                           order by y.change_no desc limit 1) as c on true
        left join lateral (select y.retry_at from queues.task_lease_ended as y
                           where y.task_id = i.task_id and y.lease_no = l.lease_no - 1 offset 0) as e on true
        cross join lateral (select greatest(coalesce(c.available_at, e.retry_at, t.scheduled_at), t.enqueued_at) as due) as w
        left join lateral (select y.lease_no from queues.task_lease_ended as y
                           where y.task_id = i.task_id and y.lease_no < l.lease_no and y.how <> 'released'
                           order by y.lease_no desc limit 1) as b on true;
end
$$;
comment on function internal.lease_traces(uuid, bigint, bigint, bigint[]) is 'Traces of sampled tasks that a worker had leases of.';
