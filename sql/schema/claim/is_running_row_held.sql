-- internal.is_running_row_held(_task_id)
-- Does another session hold the running row of this task, because it runs the task?  The lock that this test takes is given up
-- at once: a run that is about to begin must not find the row locked.
create or replace function internal.is_running_row_held(_task_id bigint) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _is_held boolean;
begin
    perform 1 from queues.running as r where r.task_id = _task_id for update skip locked;
    _is_held := not found;
    raise exception using errcode = 'QU000'; -- rolls back the lock
exception when sqlstate 'QU000' then
    return _is_held;
end
$$;
comment on function internal.is_running_row_held(bigint) is 'Whether a session runs a task, from the lock of its row.';
