-- internal.retry_tasks(_ends, _keys)
-- Adds the next attempt of each of these tasks that may be retried, in the transaction that ends them.  The new task takes over
-- everything that describes the work; the old one keeps its facts.
-- A cancel that is under way holds the lock of its task (queues.cancel_task).  Neither side can see the other's rows yet, so the
-- whole end is rolled back as after a passing error, and happens again when the cancel is visible.
-- A next attempt holds the slot of its dedup key, unless another task took the slot while the last attempt ran.  A transaction of a
-- user that is still open may be about to take it.  Nobody waits for that transaction: it counts as if it had taken the slot.
-- _keys: try takes the slots and gives those up that are not free at once; take waits for them; leave takes none.
create or replace function internal.retry_tasks(_ends internal.attempt_end[], _keys text default 'try') returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _lock_timeout constant text := current_setting('lock_timeout');
    _sequence constant regclass := pg_get_serial_sequence('queues.task', 'task_id');
    _keyed bigint[];
    _retried bigint[];
    _busy bigint;
    _end internal.attempt_end;
    _queues text[];
    _queue text;
begin
    if _keys = 'try' then
        _keyed := array(select t.task_id from queues.task as t where t.task_id = any(array(select e.task_id from unnest(_ends) as e))
                        and t.dedup_key is not null);
        if cardinality(_keyed) > 0 then
            perform internal.hold_trees(array(select d.task_id from internal.retry_decisions(_ends) as d where not d.is_last));
            foreach _end in array _ends loop
                continue when _end.task_id <> all(_keyed);
                begin
                    perform set_config('lock_timeout', '10ms', true);
                    perform internal.retry_tasks(array[_end], 'take');
                    perform set_config('lock_timeout', _lock_timeout, true);
                exception when lock_not_available then
                    perform internal.retry_tasks(array[_end], 'leave');
                end;
            end loop;
            _ends := array(select e from unnest(_ends) as e where e.task_id <> all(_keyed));
        end if;
    end if;
    _retried := array(select d.task_id from internal.retry_decisions(_ends) as d where not d.is_last);
    if cardinality(_retried) = 0 then
        return;
    end if;
    -- The locks of the tree come before those of the tasks, as in a cancel.
    perform internal.hold_trees(_retried);
    _busy := (select min(r) from unnest(_retried) as r where not pg_try_advisory_xact_lock_shared(20548, (r & 2147483647)::integer));
    if _busy is not null then
        raise exception using errcode = '55P03', message = format('task %s is being cancelled', _busy);
    end if;
    -- The locks are held now, so this statement sees every request to cancel, and every end of a parent, that came first.
    with next as materialized (
        select nextval(_sequence) as id, t.*, a.chain_id, d.payload as new_payload, d.attempt as last_attempt,
               d.max_attempts as attempts, d.backoff as waits, y.type_id, y.kind, q.queue_id,
               _now + coalesce(d.retry_after * (1 + 0.2 * random()), internal.retry_wait(d.backoff, d.attempt, random())) as at,
               case when y.kind = 'call' then internal.call_destination(y.adapter, d.payload) end as destination,
               case when y.kind = 'call' then (select x.idempotency_key from queues.task_dispatched as x
                                               where x.task_id = d.task_id order by x.lease_no limit 1) end as sent_key,
               -- A merge may have made the attempt more urgent.
               coalesce((select x.priority from queues.task_changed as x where x.task_id = d.task_id order by x.change_no desc limit 1), t.priority) as urgency
        from internal.retry_decisions(array(select e from unnest(_ends) as e where e.task_id = any(_retried))) as d
        cross join lateral (select x.* from queues.task as x where x.task_id = d.task_id offset 0) as t
        left join lateral (select x.chain_id from queues.task_attempt as x where x.task_id = d.task_id offset 0) as a on true
        cross join lateral (select x.* from queues.registered_task_type as x where x.task_type = t.task_type offset 0) as y
        cross join lateral (select x.* from queues.queue as x where x.queue = t.queue offset 0) as q
        where not d.is_last
    ), keyed as (
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, parent_id, timeout,
            dedup_key, destination)
        select n.queue_id, n.urgency, n.at, n.id, n.type_id, n.max_crashes, n.process_id, n.parent_id, n.timeout, n.dedup_key, n.destination
        from next as n where n.dedup_key is not null and _keys <> 'leave'
        on conflict do nothing
        returning task_id
    ), waiting as (
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, parent_id, timeout,
            destination)
        select n.queue_id, n.urgency, n.at, n.id, n.type_id, n.max_crashes, n.process_id, n.parent_id, n.timeout, n.destination
        from next as n where n.dedup_key is null or n.id not in (select k.task_id from keyed as k)
    ), attempts as (
        insert into queues.task_attempt (chain_id, attempt, task_id, max_attempts, backoff)
        select n.task_id, 1, n.task_id, n.attempts, n.waits from next as n where n.chain_id is null
        union all
        select coalesce(n.chain_id, n.task_id), n.last_attempt + 1, n.id, n.attempts, n.waits from next as n
    ), traces as (
        insert into queues.task_trace (task_id, traceparent, follows)
        select n.id, x.traceparent, x.task_id
        from next as n cross join lateral (select y.* from queues.task_trace as y where y.task_id = n.task_id offset 0) as x
    ), added as (
        insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid, max_crashes,
            timeout, on_in_doubt, idempotency_key, dedup_key, origin_task_id, process_id, parent_id, depth, retry_of)
        overriding system value
        select n.id, n.task_type, n.new_payload, now(), n.at, n.queue, n.urgency,
            case when n.kind = 'call' then gen_random_uuid() end, n.max_crashes, n.timeout, n.on_in_doubt,
            coalesce(n.sent_key, n.idempotency_key), case when n.id in (select k.task_id from keyed as k) then n.dedup_key end,
            n.origin_task_id, n.process_id, n.parent_id, n.depth, n.task_id
        from next as n
        returning queue, scheduled_at
    )
    select array_agg(distinct a.queue) into _queues from added as a where a.scheduled_at <= _now + interval '1 second';
    foreach _queue in array coalesce(_queues, '{}') loop
        perform internal.wake_workers(_queue, _now, internal.text_setting('notify') <> 'off');
    end loop;
end
$$;
comment on function internal.retry_tasks(internal.attempt_end[], text) is 'Adds the next attempts of tasks that failed.';
