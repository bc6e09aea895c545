-- internal.call_error_handler(_payload, _error, _is_validation, _worker_payload)
-- Tells the error handler of database work what went wrong, in a subtransaction of its
-- own.  Returns null, or why the handler failed; the task completes all the same.
create or replace function internal.call_error_handler(_payload jsonb, _error text, _is_validation boolean,
        _worker_payload jsonb) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.call_handler(_payload->>'error_handler', 'error_handler',
        jsonb_build_object('original_payload', _payload, 'error', _error, 'error_class', 'handler')
        || case when _is_validation then jsonb_build_object('validation_failure', true) else '{}' end
        || case when _worker_payload is not null then jsonb_build_object('worker_payload', _worker_payload) else '{}' end);
    return null;
exception when assert_failure or others then
    return sqlerrm;
end
$$;
comment on function internal.call_error_handler(jsonb, text, boolean, jsonb) is 'Calls the error handler of database work.';
