-- internal.rehome_own_merges()
-- For a run inside the caller's transaction: payloads that this transaction merged into waiting tasks of others get a task of their
-- own.  So they can run here, beside a queue that is live, paused or full.  Merges of others are left alone.
create or replace function internal.rehome_own_merges() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _own queues.merging;
    _task internal.command_task;
    _last bigint;
    _id bigint;
begin
    for _own in
        select m.* from queues.merging as m
        where internal.is_ours(m.xmin)
          and not exists (select 1 from queues.task as t where t.task_id = m.task_id and internal.is_ours(t.xmin))
        order by m.task_id, m.merge_id
    loop
        if _own.task_id is not distinct from _last then
            update queues.merging as m set task_id = _id where m.task_id = _own.task_id and m.merge_id = _own.merge_id;
            continue;
        end if;
        select q.queue, q.queue_id, t.type_id, _own.payload, _own.available_at, _own.priority, c.max_crashes, null::text, null::bigint, null::integer, false,
               null::text, null::smallint, null::jsonb
        into strict _task
        from queues.registered_task_type as t
        join worker.command_registry as c on c.command = _own.payload->>'command'
        join queues.queue as q on q.queue = c.queue
        where t.task_type = 'command';
        _last := _own.task_id;
        _id := internal.insert_command(_task);
        delete from queues.merging as m where m.task_id = _own.task_id and m.merge_id = _own.merge_id;
    end loop;
end
$$;
comment on function internal.rehome_own_merges() is 'Gives merges of this transaction into tasks of others a task of their own.';
