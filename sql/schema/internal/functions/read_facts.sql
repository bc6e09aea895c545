-- internal.read_facts(_process_id, _facts_call)
-- What the registered facts function of a supervisor says now; null if there is none.
-- The call is text that the registry made from quoted names; any other text is refused,
-- because in definer mode this function has more rights than its caller.
create or replace function internal.read_facts(_process_id bigint, _facts_call text) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ids jsonb;
    _facts jsonb;
begin
    if _facts_call is null then
        return null;
    end if;
    if not internal.is_facts_call(_facts_call) then
        raise exception using errcode = '42501', message = 'facts function is not registered';
    end if;
    _ids := internal.ids_of_process(_process_id);
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    if _facts_call like '%(jsonb)' then
        execute 'select to_jsonb(f) from ' || left(_facts_call, -7) || '($1) as f' into _facts using _ids;
    else
        execute 'select to_jsonb(f) from ' || left(_facts_call, -8) || '($1) as f' into _facts
            -- An id that is none is for the supervisor to refuse.
            using (select case when e.value #>> '{}' ~ '^-?[0-9]{1,18}$' then (e.value #>> '{}')::bigint end
                   from jsonb_each(_ids) as e order by e.key limit 1);
    end if;
    return _facts;
end
$$;
comment on function internal.read_facts(bigint, text) is 'Facts of a process, as its registered facts function gives them.';
