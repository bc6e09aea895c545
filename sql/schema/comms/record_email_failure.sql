-- comms.record_email_failure(_payload)
-- Error handler of e-mail tasks: the failure fact, once and not beside a success, and the
-- supervisor looks after the delay of the failure before.  Locks as comms.record_email_success.
create or replace function comms.record_email_failure(_payload jsonb) returns jsonb
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
    insert into comms.send_email_attempt_failed (send_email_attempt_id, error_message, created_at, in_doubt, error_class)
    select _attempt, coalesce(_payload->>'error', 'failed'), _now, coalesce(_payload->'in_doubt' = 'true', false),
           _payload->>'error_class'
    where not exists (select 1 from comms.send_email_attempt_succeeded as s where s.send_email_attempt_id = _attempt)
    on conflict (send_email_attempt_id) do nothing;
    perform queues.wake_process('comms.send_email_supervisor', jsonb_build_object('send_email_task_id', _task),
        _now + queues.backoff(5, comms.count_send_email_failed_attempts(_task) - 1));
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function comms.record_email_failure(jsonb) is 'Error handler: an attempt to send an e-mail has failed.';
