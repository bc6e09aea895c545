-- internal.run_leased(_worker_id, _task_id, _lease_no, _position, _more)
-- Makes the call that a leased task names in a position (internal.leased_call), with the payload of the task, and returns its
-- result.  A success or error handler gets the payload as original_payload, and _more beside it.
-- Security invoker, or definer and owned by queues_runner: see internal.set_runner_mode.  In both modes, nobody can call a
-- function with a payload that was not enqueued.
-- User code may leave another search_path behind: it is set again right after the call.
create or replace function internal.run_leased(_worker_id uuid, _task_id bigint, _lease_no integer, _position text,
        _more jsonb default null) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call record := internal.leased_call(_worker_id, _task_id, _lease_no, _position);
    _nothing constant jsonb := '{}'::jsonb;
    _input jsonb := _call.input;
    _result jsonb;
begin
    if _position in ('success_handler', 'error_handler') then
        _input := jsonb_build_object('original_payload', _input) || coalesce(_more, '{}');
    end if;
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    if _call.has_info then
        execute _call.statement into _result using _input, _nothing;
    elsif _call.has_result then
        execute _call.statement into _result using _input;
    else
        execute _call.statement using _input;
    end if;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    return _result;
end
$$;
comment on function internal.run_leased(uuid, bigint, integer, text, jsonb) is 'Makes a call that a leased task names.';
