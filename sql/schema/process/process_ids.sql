-- internal.process_ids(_supervisor, _payload)
-- The part of a payload that identifies the process among those of its supervisor.
create or replace function internal.process_ids(_supervisor text, _payload jsonb) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _keys constant text[] := (select a.process_keys from internal.allowed_function as a where a.function_name = _supervisor);
begin
    if _keys is null then
        return _payload - array['task_type', 'db_function', 'before_handler', 'success_handler', 'error_handler', 'run_count'];
    elsif cardinality(_keys) = 1 then
        return case when _payload ? _keys[1] then jsonb_build_object(_keys[1], _payload->_keys[1]) else '{}' end;
    end if;
    return (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(_payload) as e where e.key = any(_keys));
end
$$;
comment on function internal.process_ids(text, jsonb) is 'Identity of a process within a payload.';
