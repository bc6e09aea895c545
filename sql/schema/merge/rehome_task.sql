-- internal.rehome_task(_task_id)
-- Moves the merges of this task that its run will not take to the task that waits under the same key, or to a new one.  The run
-- holds the rows that it has taken.
create or replace function internal.rehome_task(_task_id bigint) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _late queues.merging;
    _rule record;
    _task internal.command_task;
    _to_id bigint;
    _to_at timestamptz;
    _to_priority bigint;
    _moved integer := 0;
begin
    for _late in
        select m.* from queues.merging as m where m.task_id = _task_id order by m.merge_id for update skip locked
    loop
        -- failpoint: rehome.after_lock
        if _moved = 0 then
            -- A command that was removed gets a task too, which fails with that error.
            select q.queue, c.dedup_keys, c.max_crashes, q.queue_id, t.type_id, internal.text_setting('notify') <> 'off' as notify
            into strict _rule
            from queues.registered_task_type as t
            left join worker.command_registry as c on c.command = _late.payload->>'command'
            join queues.queue as q on q.queue = coalesce(c.queue, t.default_queue)
            where t.task_type = 'command';
            _task.queue := _rule.queue;
            _task.queue_id := _rule.queue_id;
            _task.type_id := _rule.type_id;
            _task.max_crashes := _rule.max_crashes;
        end if;
        _task.payload := _late.payload;
        _task.at := greatest(_late.available_at, least(now(), queues.clock())); -- a claim may have passed a time in the past
        _task.priority := _late.priority;
        if _rule.dedup_keys is not null then
            _task.dedup_key := internal.command_key(_late.payload->>'command', _rule.dedup_keys, _late.payload);
            select * into _to_id, _to_at, _to_priority
            from internal.waiting_command(_rule.queue_id, _rule.type_id, _task.dedup_key);
        end if;
        if _to_id is not null then
            update queues.merging as m
            set task_id = _to_id,
                is_urgent = case when _late.available_at < _to_at or _late.priority < _to_priority then true end
            where m.task_id = _late.task_id and m.merge_id = _late.merge_id;
        else
            -- Null: another session has just made one; the next call finds it.
            exit when case when _rule.dedup_keys is null then internal.insert_command(_task)
                           else internal.insert_pending(_task) end is null;
            delete from queues.merging as m where m.task_id = _late.task_id and m.merge_id = _late.merge_id;
        end if;
        _moved := _moved + 1;
    end loop;
    if _moved > 0 then
        perform internal.wake_workers(_rule.queue, now(), _rule.notify);
    end if;
    return _moved;
end
$$;
comment on function internal.rehome_task(bigint) is 'Moves late merges of one task to a task that waits.';
