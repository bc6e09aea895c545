-- internal.check_reserved(_payload)
-- Refuses a session that may not enqueue the functions, the variant or the job function that this payload names.  It is called
-- before every change of an existing task: a role that may not make a task may not change it.
create or replace function internal.check_reserved(_payload jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _reserved record;
begin
    for _reserved in
        select f.function_name as name, f.enqueuers from internal.allowed_function as f
        where f.enqueuers is not null
          and f.function_name in (_payload->>'db_function', _payload->>'before_handler', _payload->>'success_handler',
                                  _payload->>'error_handler')
        union all
        select v.variant, v.enqueuers from internal.task_variant as v join queues.registered_task_type as y on y.type_id = v.type_id
        where v.enqueuers is not null and v.variant = _payload->>y.variant_key
    loop
        perform internal.check_enqueuer(_reserved.name, _reserved.enqueuers);
    end loop;
end
$$;
comment on function internal.check_reserved(jsonb) is 'Refuses a role that may not enqueue the functions of a payload.';
