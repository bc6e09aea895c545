-- internal.run_function(function_name, payload)
-- Calls a registered function by its exact name.  Security invoker (see
-- internal.set_runner_mode): the registry is one key, EXECUTE of the caller the other.
-- The statement is built from identifiers that the server has quoted, never from
-- the name that was given.  The changed search_path ends with this function.
create or replace function internal.run_function(function_name text, payload jsonb) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call constant text := internal.registered_call(function_name);
    _result jsonb;
begin
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    execute 'select ' || _call || '($1)' into _result using coalesce(payload, '{}');
    return coalesce(_result, '{}');
end
$$;
comment on function internal.run_function(text, jsonb) is 'Calls a registered function by name, with two keys.';
