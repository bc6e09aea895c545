-- internal.command_ended(_task_id, _parent_id, _outcome, _was_begun)
-- The consequences of the end of a command outside its run: for its descendants, its parent and listeners.  No user code is called
-- here: a worker runs the after hook of a parent.
create or replace function internal.command_ended(_task_id bigint, _parent_id bigint, _outcome text, _was_begun boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _outcome in ('failed', 'cancelled', 'quarantined') then
        perform internal.cancel_tree(_task_id);
    end if;
    if _was_begun then
        perform internal.notify_end(_task_id);
    else
        perform internal.notify_changed(array[_task_id]);
    end if;
    if _parent_id is not null then
        perform internal.close_parents(array[_parent_id]);
    end if;
end
$$;
comment on function internal.command_ended(bigint, bigint, text, boolean) is 'Consequences of the end of a command outside its run.';
