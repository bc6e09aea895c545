-- internal.keep_leases(_worker_id, _task_ids, _lease_nos)
-- A batch held these rows longer than planned, and nobody could renew their leases meanwhile.  A task that is still leased, for
-- less than two thirds of its lease, gets a full one.  The caller holds the rows.
create or replace function internal.keep_leases(_worker_id uuid, _task_ids bigint[], _lease_nos integer[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _now constant timestamptz := queues.clock();
begin
    with held as materialized (
        select r.task_id, r.lease_no, l.expires_at - l.leased_at as lease
        from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
        cross join lateral (
            select x.task_id, x.lease_no, x.holder_id, x.expires_at from queues.running as x
            where x.task_id = w.task_id and x.lease_no = w.lease_no for update skip locked) as r
        join queues.holder as h on h.holder_id = r.holder_id and h.worker_id = _worker_id
        join queues.task_lease as l on l.task_id = r.task_id and l.lease_no = r.lease_no
        where r.expires_at < _now + (l.expires_at - l.leased_at) * 2 / 3
    ), moved as (
        update queues.running as r
        set expires_at = _now + (select h.lease from held as h where h.task_id = r.task_id), renewed_at = _now
        where r.task_id = any(array(select h.task_id from held as h))
        returning r.task_id, r.lease_no, r.expires_at
    )
    insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
    select m.task_id, m.lease_no, _now, m.expires_at from moved as m;
end
$$;
comment on function internal.keep_leases(uuid, bigint[], integer[]) is 'Renews leases that a batch held and did not reach.';
