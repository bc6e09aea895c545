-- internal.process_ids(_supervisor, _payload)
-- The part of a payload that tells one process of a supervisor from another.
create or replace function internal.process_ids(_supervisor text, _payload jsonb) returns jsonb
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select case
        when f.process_keys is null then
            _payload - array['task_type', 'db_function', 'before_handler', 'success_handler', 'error_handler', 'run_count']
        else (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(_payload) as e
              where e.key = any(f.process_keys))
    end
    from (select (select a.process_keys from internal.allowed_function as a
                  where a.function_name = _supervisor)) as f(process_keys)
$$;
comment on function internal.process_ids(text, jsonb) is 'Identity of a process within a payload.';
