-- internal.with_handler(_step, _payload)
-- Adds to a step of finish the handler that the payload names for its outcome.
create or replace function internal.with_handler(_step internal.finish_step, _payload jsonb) returns internal.finish_step
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    _step.handler_kind := case when _step.outcome = 'succeeded' then 'success_handler' else 'error_handler' end;
    _step.handler := _payload->>_step.handler_kind;
    _step.handler_input := jsonb_build_object('original_payload', _payload);
    if _step.result is not null then
        _step.handler_input := _step.handler_input || jsonb_build_object('worker_payload', _step.result);
    end if;
    if _step.outcome <> 'succeeded' then
        _step.handler_input := _step.handler_input || jsonb_build_object('error', coalesce(_step.error, 'failed'))
            || case when _step.error_class = 'validation' then '{"error_class": "handler", "validation_failure": true}'::jsonb
                    when _step.error_class is not null then jsonb_build_object('error_class', _step.error_class) else '{}' end
            || case when _step.outcome = 'in_doubt' then '{"in_doubt": true}'::jsonb else '{}' end;
    end if;
    return _step;
end
$$;
comment on function internal.with_handler(internal.finish_step, jsonb) is 'Adds the handler to a step of finish.';
