-- internal.record_dispatch(_worker_id, _task_id, _lease_no, _key)
-- Records the dispatch and renews the lease.  The key of the first dispatch stays the key of the task, and of every task that repeats
-- it with the same key (retry_of).  The first key that is given counts: by the before handler, by the enqueuer, in the payload;
-- else it is random.
create or replace function internal.record_dispatch(_worker_id uuid, _task_id bigint, _lease_no integer, _key text) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
    _now constant timestamptz := queues.clock();
    _final text;
begin
    if _row.task_id is null or _row.expires_at < _now then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded or has run out', _lease_no, _task_id);
    end if;
    select coalesce(
        (select d.idempotency_key from queues.task_dispatched as d where d.task_id = _task_id order by d.lease_no limit 1),
        case when t.retry_of is not null then t.idempotency_key end,
        nullif(left(_key, 256), ''), t.idempotency_key, nullif(left(t.payload->>'idempotency_key', 256), ''), t.task_uuid::text)
    into _final from queues.task as t where t.task_id = _task_id;
    insert into queues.task_dispatched (task_id, lease_no, dispatched_at, adapter, idempotency_key)
    select _task_id, _lease_no, _now, t.adapter, _final
    from queues.registered_task_type as t where t.type_id = _row.type_id
    -- After a lost connection the same lease asks again: the fact exists.
    on conflict (task_id, lease_no) do nothing;
    update queues.running as r
    set renewed_at = _now,
        expires_at = internal.lease_end(coalesce(r.renewed_at, r.leased_at), r.expires_at, _now, (
            select l.expires_at - l.leased_at from queues.task_lease as l where l.task_id = _task_id and l.lease_no = _lease_no))
    where r.task_id = _task_id;
    insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
    select _task_id, _lease_no, _now, r.expires_at from queues.running as r where r.task_id = _task_id;
    return _final;
end
$$;
comment on function internal.record_dispatch(uuid, bigint, integer, text) is 'Announces an outside effect.';
