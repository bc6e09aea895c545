-- comms.record_email_success(_payload)
-- Success handler of e-mail tasks: the success fact, once, and the supervisor looks now.  The
-- attempt is locked before its outcomes are looked at, so it never has both; a success that comes
-- after a failure is only recorded.
create or replace function comms.record_email_success(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := comms.email_attempt_of(_payload->'original_payload');
    _now constant timestamptz := queues.clock();
    _task bigint;
begin
    perform internal.require_own_run(_payload);
    if _attempt is null then
        return jsonb_build_object('status', 'missing_send_email_attempt_id');
    end if;
    select a.send_email_task_id into _task from comms.send_email_attempt as a
    where a.send_email_attempt_id = _attempt for no key update;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    insert into comms.send_email_attempt_succeeded (send_email_attempt_id, created_at, provider_id)
    select _attempt, _now, left(_payload #>> '{worker_payload,id}', 512)
    where not exists (select 1 from comms.send_email_attempt_failed as f where f.send_email_attempt_id = _attempt)
    on conflict (send_email_attempt_id) do nothing;
    if not found then
        perform internal.record_late_success(_attempt)
        from comms.send_email_attempt_failed as f where f.send_email_attempt_id = _attempt;
    end if;
    perform queues.wake_process('comms.send_email_supervisor', jsonb_build_object('send_email_task_id', _task), _now);
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function comms.record_email_success(jsonb) is 'Success handler: the provider has accepted an e-mail.';
