-- internal.run_function(function_name, payload)
-- Calls a registered function by its exact name.  Security invoker (see internal.set_runner_mode): the call needs both a
-- registration and the caller's right to EXECUTE.  The statement is built from identifiers that the server has quoted, never from
-- the given name.
-- User code may leave another search_path behind: it is set again right after each call.
create or replace function internal.run_function(function_name text, payload jsonb) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _statement constant text := 'select ' || internal.registered_call(function_name) || '($1)';
    _result jsonb;
begin
    payload := coalesce(payload, '{}');
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    execute _statement into _result using payload;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    return coalesce(_result, '{}');
end
$$;
comment on function internal.run_function(text, jsonb) is 'Calls a registered function that the caller may execute.';
