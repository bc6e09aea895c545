-- internal.record_dispatches(_worker_id, _task_ids, _lease_nos, _keys, _destinations)
-- Records the dispatches of a batch of first announcements, and returns the keys (internal.record_dispatch).  A lease that has
-- used up a third is renewed, so that two thirds are left for the call; so is one that lasts too long (internal.lease_end).  A
-- lease that has run out meanwhile is left out.  A destination that was not known before is kept with the task, so that claims
-- know it if the task is given back.
create or replace function internal.record_dispatches(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _keys text[],
        _destinations text[])
    returns table (task_id bigint, idempotency_key text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := clock_timestamp();
begin
    return query
        with held as materialized (
            select r.task_id, r.lease_no, r.type_id, w.key, w.destination, n.next_end,
                   n.next_end not between r.expires_at and r.expires_at + r.lease / 3 as is_old
            from unnest(_task_ids, _lease_nos, _keys, _destinations) as w(task_id, lease_no, key, destination)
            cross join lateral (
                select x.task_id, x.lease_no, x.expires_at, x.type_id, coalesce(x.renewed_at, x.leased_at) as since,
                       (select l.expires_at - l.leased_at from queues.task_lease as l
                        where l.task_id = x.task_id and l.lease_no = x.lease_no) as lease
                from queues.running as x
                where x.task_id = w.task_id and x.lease_no = w.lease_no and x.expires_at >= _now
                  and (select h.worker_id from queues.holder as h where h.holder_id = x.holder_id) = _worker_id
                for update) as r
            cross join lateral (select internal.lease_end(r.since, r.expires_at, _now, r.lease) offset 0) as n(next_end)
        ), moved as (
            update queues.running as r
            set expires_at = coalesce((select h.next_end from held as h where h.task_id = r.task_id and h.is_old), r.expires_at),
                renewed_at = coalesce((select _now from held as h where h.task_id = r.task_id and h.is_old), r.renewed_at),
                destination = coalesce((select h.destination from held as h where h.task_id = r.task_id), r.destination)
            where r.task_id = any(array(select h.task_id from held as h where h.is_old or h.destination is not null))
            returning r.task_id, r.lease_no, r.expires_at
        ), keyed as (
            select m.task_id, m.lease_no, m.type_id,
                   coalesce(case when t.retry_of is not null then t.idempotency_key end, nullif(left(m.key, 256), ''), t.idempotency_key,
                            nullif(left(t.payload->>'idempotency_key', 256), ''), t.task_uuid::text) as key
            from held as m
            cross join lateral (select x.* from queues.task as x where x.task_id = m.task_id offset 0) as t
        ), fact as (
            insert into queues.task_dispatched (task_id, lease_no, dispatched_at, adapter, idempotency_key)
            select k.task_id, k.lease_no, _now, y.adapter, k.key
            from keyed as k join queues.registered_task_type as y on y.type_id = k.type_id
        ), renewed as (
            insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
            select m.task_id, m.lease_no, _now, m.expires_at from moved as m
            where m.task_id = any(array(select h.task_id from held as h where h.is_old))
        )
        select k.task_id, k.key from keyed as k;
end
$$;
comment on function internal.record_dispatches(uuid, bigint[], integer[], text[], text[]) is 'Announces a batch of outside effects.';
