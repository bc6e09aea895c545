-- internal.allow_hint(_name, _kind)
-- The statement that registers a function for one more kind.  It repeats the existing registration of the function, because a
-- registration replaces the one before it.
create or replace function internal.allow_hint(_name text, _kind text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _known internal.allowed_function;
begin
    select f.* into _known from internal.allowed_function as f where f.function_name = _name;
    if not found then
        return format('select internal.allow_function(%L, %L);', left(_name, 128), _kind)
            || case when _kind = 'task' then ' For a supervisor give the kind ''supervisor''.' else '' end;
    end if;
    return format('select internal.allow_function(%L, %L%s%s%s%s);', _name,
        case when _kind = any(string_to_array(_known.kind, ',')) then _known.kind else _known.kind || ',' || _kind end,
        case when _known.facts_function is not null then format(', _facts_function => %L', _known.facts_function) else '' end,
        case when _known.process_keys is not null then format(', _process_keys => %L', _known.process_keys) else '' end,
        case when _known.max_idle_runs is not null then format(', _max_idle_runs => %s', _known.max_idle_runs) else '' end,
        case when _known.enqueuers is not null then format(', _enqueuers => %L', _known.enqueuers) else '' end);
end
$$;
comment on function internal.allow_hint(text, text) is 'The statement that registers a function for one more kind.';
