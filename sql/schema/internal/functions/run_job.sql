-- internal.run_job(_function, _payload)
-- Calls a function registered for jobs; returns its result as text.  Security invoker (see
-- internal.set_runner_mode): the registry is one key, EXECUTE of the caller the other.
-- Code of a user's may leave another search_path behind: it is set again right after each call.
create or replace function internal.run_job(_function text, _payload jsonb) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call constant text := internal.job_call(_function, _payload);
    _result text;
begin
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    execute _call into _result using _payload;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    return _result;
end
$$;
comment on function internal.run_job(text, jsonb) is 'Calls the function of a FUNC job, with two keys.';
