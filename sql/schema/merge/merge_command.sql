-- internal.merge_command(_task, _policy)
-- Merges a command into the waiting task of its dedup key, or makes that task; returns its id.
-- merge, skip: inserts a row beside the waiting task (queues.merging), which is not locked.
-- A schedule that fires calls no merge function: a slow one would hold up the worker and all other schedules.  If a task of its key
-- waits already, the fire gets a task of its own.
-- replace, error: lock the row of the task, as for other tasks (internal.absorb).
create or replace function internal.merge_command(_task internal.command_task, _policy text) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _waiting record;
    _id bigint;
begin
    for _try in 1 .. 10 loop
        if _policy in ('replace', 'error') then
            _id := internal.absorb(_task.queue_id, _task.type_id, _task.dedup_key, _policy, _task.payload, _task.at, _task.priority);
        else
            select * into _waiting from internal.waiting_command(_task.queue_id, _task.type_id, _task.dedup_key);
            if _waiting.task_id is not null then
                if _policy = 'merge' and _task.merge_call is not null then
                    exit when internal.is_firing();
                    -- A merge function that cannot merge this payload refuses it here, not in the run.
                    perform internal.call_merge(_task.merge_call, t.payload, _task.payload)
                    from queues.task as t where t.task_id = _waiting.task_id;
                end if;
                insert into queues.merging (task_id, payload, available_at, priority, is_urgent, merged_at, merged_by)
                values (_waiting.task_id, _task.payload, _task.at, _task.priority,
                    case when _task.at < _waiting.available_at or _task.priority < _waiting.priority then true end,
                    queues.clock(), internal.actor());
                return _waiting.task_id;
            end if;
        end if;
        -- failpoint: merge.after_lookup
        _id := internal.insert_pending(_task);
        if _id is not null then
            return _id;
        end if;
    end loop;
    -- A task of something else than this command holds the slot, or a schedule fires.
    _task.dedup_key := null;
    return internal.insert_command(_task);
end
$$;
comment on function internal.merge_command(internal.command_task, text) is 'Merges a command into the waiting one of its key.';
