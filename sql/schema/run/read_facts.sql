-- internal.read_facts(_worker_id, _task_id, _lease_no)
-- The present facts of a leased run of a supervisor, from its registered facts function; null if it has none.  Security invoker,
-- or definer as internal.run_leased.  All effects of the facts function are undone, as for a merge function (internal.call_merge).
create or replace function internal.read_facts(_worker_id uuid, _task_id bigint, _lease_no integer) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call record := internal.leased_call(_worker_id, _task_id, _lease_no, 'facts');
    _facts jsonb;
    _text text;
begin
    if _call.statement is null then
        return null;
    end if;
    begin
        perform set_config('search_path', internal.text_setting('handler_search_path'), true);
        execute _call.statement into _facts using _call.input;
        raise exception using errcode = 'QU010', message = 'value', detail = coalesce(_facts, 'null');
    exception when sqlstate 'QU010' then
        get stacked diagnostics _text = pg_exception_detail;
    end;
    return nullif(_text, 'null')::jsonb;
end
$$;
comment on function internal.read_facts(uuid, bigint, integer) is 'The present facts, from a facts function.';
