-- internal.retry_tasks(_ends)
-- Adds the next attempt of each of these tasks that may be retried, in the transaction that ends them.  The new task takes over
-- everything that describes the work; the old one keeps its facts.
-- A cancel that is under way holds the lock of its task (queues.cancel_task).  Neither side can see the other's rows yet, so the
-- whole end is rolled back as after a passing error, and happens again when the cancel is visible.
-- A next attempt holds the slot of its dedup key, unless another task took the slot while the last attempt ran.
create or replace function internal.retry_tasks(_ends internal.attempt_end[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _retried bigint[];
    _busy bigint;
    _queues text[];
    _queue text;
begin
    select array_agg(d.task_id),
           min(d.task_id) filter (where not pg_try_advisory_xact_lock_shared(20548, (d.task_id & 2147483647)::integer))
    into _retried, _busy
    from internal.retry_decisions(_ends) as d where not d.is_last;
    if _busy is not null then
        raise exception using errcode = '55P03', message = format('task %s is being cancelled', _busy);
    elsif _retried is null then
        return;
    end if;
    -- The locks are held now, so this statement sees every request to cancel that came first.
    with next as materialized (
        select nextval(pg_get_serial_sequence('queues.task', 'task_id')) as id, t.*, d.payload as new_payload, d.attempt as last_attempt,
               d.max_attempts as attempts, d.backoff as waits, y.type_id, y.kind, q.queue_id,
               _now + coalesce(d.retry_after * (1 + 0.2 * random()), internal.retry_wait(d.backoff, d.attempt, random())) as at,
               case when y.kind = 'call' then internal.call_destination(y.adapter, d.payload) end as destination
        from internal.retry_decisions(array(select e from unnest(_ends) as e where e.task_id = any(_retried))) as d
        cross join lateral (select x.* from queues.task as x where x.task_id = d.task_id offset 0) as t
        cross join lateral (select x.* from queues.registered_task_type as x where x.task_type = t.task_type offset 0) as y
        cross join lateral (select x.* from queues.queue as x where x.queue = t.queue offset 0) as q
        where not d.is_last
    ), keyed as (
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, parent_id, timeout,
            dedup_key, destination)
        select n.queue_id, n.priority, n.at, n.id, n.type_id, n.max_crashes, n.process_id, n.parent_id, n.timeout, n.dedup_key, n.destination
        from next as n where n.dedup_key is not null
        on conflict do nothing
        returning task_id
    ), waiting as (
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, parent_id, timeout,
            destination)
        select n.queue_id, n.priority, n.at, n.id, n.type_id, n.max_crashes, n.process_id, n.parent_id, n.timeout, n.destination
        from next as n where n.dedup_key is null or n.id not in (select k.task_id from keyed as k)
    ), added as (
        insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid, max_crashes,
            timeout, on_in_doubt, idempotency_key, dedup_key, origin_task_id, process_id, parent_id, depth, retry_of, max_attempts,
            backoff, attempt, chain_id)
        overriding system value
        select n.id, n.task_type, n.new_payload, now(), n.at, n.queue, n.priority,
            case when n.kind = 'call' then gen_random_uuid() end, n.max_crashes, n.timeout, n.on_in_doubt,
            coalesce(n.idempotency_key, n.task_uuid::text), case when n.id in (select k.task_id from keyed as k) then n.dedup_key end,
            n.origin_task_id, n.process_id, n.parent_id, n.depth, n.task_id, n.attempts, n.waits, n.last_attempt + 1,
            coalesce(n.chain_id, n.task_id)
        from next as n
        returning queue, scheduled_at
    )
    select array_agg(distinct a.queue) into _queues from added as a where a.scheduled_at <= _now + interval '1 second';
    foreach _queue in array coalesce(_queues, '{}') loop
        perform internal.wake_workers(_queue, _now, internal.text_setting('notify') <> 'off');
    end loop;
end
$$;
comment on function internal.retry_tasks(internal.attempt_end[]) is 'Adds the next attempts of tasks that failed.';
