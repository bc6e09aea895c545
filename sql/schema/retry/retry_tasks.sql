-- internal.retry_tasks(_ends)
-- Adds the next attempt of each of these tasks that may be retried, in the transaction that ends them.  The new task takes over
-- everything that describes the work; the old one keeps its facts.
-- A cancel that is under way holds the lock of its task (queues.cancel_task).  Neither side can see the other's rows yet, so the
-- whole end is rolled back as after a passing error, and happens again when the cancel is visible.
create or replace function internal.retry_tasks(_ends internal.attempt_end[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _end internal.attempt_end;
    _task queues.task;
    _type queues.registered_task_type;
    _rule record;
    _payload jsonb;
    _key text;
    _queue_id integer;
    _at timestamptz;
    _destination text;
    _id bigint;
begin
    foreach _end in array _ends loop
        select t.* into _task from queues.task as t where t.task_id = _end.task_id;
        -- A lease has a payload of its own after a merge.
        _payload := coalesce(
            (select f.payload from queues.task_folded as f where f.task_id = _task.task_id order by f.lease_no desc limit 1),
            (select l.payload from queues.task_lease as l where l.task_id = _task.task_id and l.lease_no = _end.lease_no),
            _task.payload);
        _rule := internal.retry_decision(_task, _payload, _end);
        continue when _rule.is_last;
        if not pg_try_advisory_xact_lock_shared(20548, (_task.task_id & 2147483647)::integer) then
            raise exception using errcode = '55P03', message = format('task %s is being cancelled', _task.task_id);
        end if;
        continue when exists (select 1 from queues.task_cancel_requested as c where c.task_id = _task.task_id);
        select t.* into _type from queues.registered_task_type as t where t.task_type = _task.task_type;
        select q.queue_id into _queue_id from queues.queue as q where q.queue = _task.queue;
        _at := _now + coalesce(_end.retry_after * (1 + 0.2 * random()),
                               internal.retry_wait(_rule.backoff, _rule.attempt, random()));
        _destination := case when _type.kind = 'call' then internal.call_destination(_type.adapter, _payload) end;
        _id := nextval(pg_get_serial_sequence('queues.task', 'task_id'));
        -- The next attempt holds the slot of the dedup key, unless another task took it while this attempt ran.
        _key := _task.dedup_key;
        loop
            insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, parent_id, timeout,
                dedup_key, destination)
            values (_queue_id, _task.priority, _at, _id, _type.type_id, _task.max_crashes, _task.process_id, _task.parent_id,
                _task.timeout, _key, _destination)
            on conflict do nothing;
            exit when found or _key is null;
            _key := null;
        end loop;
        insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid, max_crashes,
            timeout, on_in_doubt, idempotency_key, dedup_key, origin_task_id, process_id, parent_id, depth, retry_of, max_attempts,
            backoff, attempt, chain_id)
        overriding system value
        values (_id, _task.task_type, _payload, now(), _at, _task.queue, _task.priority,
            case when _type.kind = 'call' then gen_random_uuid() end, _task.max_crashes, _task.timeout, _task.on_in_doubt,
            coalesce(_task.idempotency_key, _task.task_uuid::text), _key, _task.origin_task_id, _task.process_id, _task.parent_id,
            _task.depth, _task.task_id, _rule.max_attempts, _rule.backoff, _rule.attempt + 1, coalesce(_task.chain_id, _task.task_id));
        perform internal.wake_workers(_task.queue, _at, internal.text_setting('notify') <> 'off');
    end loop;
end
$$;
comment on function internal.retry_tasks(internal.attempt_end[]) is 'Adds the next attempts of tasks that failed.';
