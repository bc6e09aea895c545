-- internal.read_facts(_process_id, _facts_call)
-- What the registered facts function of a supervisor says now; null if there is none.
-- The call is text that the registry made from quoted names; any other text is refused,
-- because in definer mode this function has more rights than its caller.  What the facts function does is
-- undone, as for a merge function (internal.call_merge).
create or replace function internal.read_facts(_process_id bigint, _facts_call text) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ids jsonb;
    _takes_ids constant boolean := _facts_call like '%(jsonb)';
    _call text;
    _id bigint;
    _facts jsonb;
    _text text;
begin
    if _facts_call is null then
        return null;
    end if;
    if not internal.is_facts_call(_facts_call) then
        raise exception using errcode = '42501', message = 'facts function is not registered';
    end if;
    _ids := internal.ids_of_process(_process_id);
    -- An id that is none is for the supervisor to refuse.
    _id := (select case when e.value #>> '{}' ~ '^-?[0-9]{1,18}$' then (e.value #>> '{}')::bigint end
            from jsonb_each(_ids) as e order by e.key limit 1);
    _call := 'select pg_catalog.to_jsonb(f.*) from ' || regexp_replace(_facts_call, '\([a-z]+\)$', '') || '($1) as f';
    begin
        perform set_config('search_path', internal.text_setting('handler_search_path'), true);
        if _takes_ids then
            execute _call into _facts using _ids;
        else
            execute _call into _facts using _id;
        end if;
        raise exception using errcode = 'QU010', message = 'value', detail = coalesce(_facts, 'null');
    exception when sqlstate 'QU010' then
        get stacked diagnostics _text = pg_exception_detail;
    end;
    return nullif(_text, 'null')::jsonb;
end
$$;
comment on function internal.read_facts(bigint, text) is 'Facts of a process, as its registered facts function gives them.';
