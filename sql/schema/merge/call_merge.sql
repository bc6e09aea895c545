-- internal.call_merge(_call, _old, _new)
-- The result of the merge function of a command.  Owned by queues_runner and security definer: the function runs with the rights
-- of that role, which are only EXECUTE on registered routines, whichever role calls this.  _call comes from the catalog columns of
-- the registry.
-- All effects of the function are undone, also its changes of settings: the value leaves the subtransaction as the detail of an
-- error.  After the call, no statement in it looks up a name.
create or replace function internal.call_merge(_call text, _old jsonb, _new jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _result jsonb;
    _text text;
begin
    begin
        execute _call into _result using _old, _new;
        raise exception using errcode = 'QU010', message = 'value', detail = coalesce(_result, 'null');
    exception when sqlstate 'QU010' then
        get stacked diagnostics _text = pg_exception_detail;
    end;
    _result := _text::jsonb;
    if jsonb_typeof(_result) is distinct from 'object' then
        raise exception using errcode = '22023', message = 'merge function must return a JSON object';
    end if;
    return _result;
end
$$;
comment on function internal.call_merge(text, jsonb, jsonb) is 'Calls a merge function with the rights of queues_runner.';
