-- internal.command_task_ended(_task_id, _lease_no, _priority, _parent_id, _outcome, _was_running)
-- Hook `ended` of commands: the engine has completed a command outside its run.  Merges that no run will take end with it.
create or replace function internal.command_task_ended(_task_id bigint, _lease_no integer, _priority bigint, _parent_id bigint,
        _outcome text, _was_running boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not _was_running or _outcome = 'cancelled' then
        perform internal.take_merges(_task_id, _lease_no, _priority);
    end if;
    perform internal.command_ended(_task_id, _parent_id, _outcome, _was_running or _lease_no > 0);
end
$$;
comment on function internal.command_task_ended(bigint, integer, bigint, bigint, text, boolean) is 'What follows the end of a command outside its run.';
