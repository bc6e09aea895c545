-- internal.call_error_handler(_worker_id, _end, _name, _error, _worker_payload)
-- Calls the error handler of database work, in a subtransaction of its own.  It returns null, or the reason why the handler failed;
-- the task completes in either case.
create or replace function internal.call_error_handler(_worker_id uuid, _end internal.run_end, _name text, _error text,
        _worker_payload jsonb) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.call_handler(_worker_id, _end.task_id, _end.lease_no, 'error_handler', _name,
        jsonb_build_object('error', _error, 'error_class', 'handler')
        || case when _end.status = 'validation_failed' then jsonb_build_object('validation_failure', true) else '{}' end
        || internal.leased_attempt_info(_worker_id, _end)
        || case when _worker_payload is not null then jsonb_build_object('worker_payload', _worker_payload) else '{}' end);
    return null;
exception when assert_failure or others then
    return sqlerrm;
end
$$;
comment on function internal.call_error_handler(uuid, internal.run_end, text, text, jsonb) is 'Calls an error handler of database work.';
