-- internal.end_parents(_parents, _definer)
-- Children of these tasks have ended in a run: completes parents that waited for nothing else, in
-- the same transaction, with their after hooks, upwards.  Security invoker: hooks are user code.
create or replace function internal.end_parents(_parents bigint[], _definer boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _parent record;
    _hook record;
begin
    while cardinality(_parents) > 0 loop
        _parent := internal.close_parents(_parents, true);
        exit when _parent.task_id is null;
        perform set_config('reeve.task_id', _parent.task_id::text, true);
        _hook := internal.run_hook(_parent.command, 'after', _parent.after_call, _parent.payload, _definer);
        _parents := array_remove(array_append(_parent.rest, internal.end_parent(_parent.task_id, _hook.error, _hook.error_sqlstate)), null);
    end loop;
end
$$;
comment on function internal.end_parents(bigint[], boolean) is 'Ends parents whose children have ended, with their hooks.';
