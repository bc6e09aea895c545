-- internal.unregistered_names(_type_id, _payload)
-- The functions that a payload names and that are not registered for their position now, and the variant (command) of the task if it is
-- not registered.  Null: none.  A run of such a task fails.
create or replace function internal.unregistered_names(_type_id smallint, _payload jsonb) returns text[]
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select array_agg(left(n.name, 128) order by n.name) from (
        select _payload->>p.position as name from unnest(array['db_function', 'before_handler', 'success_handler', 'error_handler']) as p(position)
        where _payload ? p.position
          and (select true from internal.allowed_function as f
               where f.function_name = _payload->>p.position and f.enabled and internal.fits_position(f.kind, p.position) limit 1) is null
        union all
        select _payload->>y.variant_key from queues.registered_task_type as y
        where y.type_id = _type_id and y.variant_key is not null
          and (select true from internal.task_variant as v where v.type_id = y.type_id and v.variant = _payload->>y.variant_key limit 1) is null
    ) as n
$$;
comment on function internal.unregistered_names(smallint, jsonb) is 'Functions that a payload names and that are not registered.';
