-- internal.lock_ready(_task_id)
-- Locks and returns the ready row of a waiting task; null if the task does not wait.  If the row moved while we waited for the
-- lock, the function looks again.
create or replace function internal.lock_ready(_task_id bigint) returns queues.ready
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _key record;
    _old record;
    _row queues.ready;
begin
    loop
        _key := internal.ready_key(_task_id);
        select r.* into _row from queues.ready as r
        where r.queue_id = _key.queue_id and r.priority = _key.priority
          and r.available_at = _key.available_at and r.task_id = _task_id
        for update;
        if found or _key is not distinct from _old then
            return _row;
        end if;
        _old := _key;
    end loop;
end
$$;
comment on function internal.lock_ready(bigint) is 'Locks the ready row of a waiting task.';
