-- comms.schedule_sms_attempt(_send_sms_task_id)
-- Effect: one more attempt, and the task that carries it out, made together; returns the id of
-- the attempt.  If a message in doubt must not be sent again, the task says so too.
create or replace function comms.schedule_sms_attempt(_send_sms_task_id bigint) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := nextval('comms.send_sms_attempt_send_sms_attempt_id_seq');
begin
    insert into comms.send_sms_attempt (send_sms_attempt_id, send_sms_task_id, created_at, task_id)
    overriding system value
    values (_id, _send_sms_task_id, queues.clock(), queues.enqueue('sms', jsonb_build_object('task_type', 'sms',
        'send_sms_task_id', _send_sms_task_id, 'send_sms_attempt_id', _id, 'before_handler', 'comms.get_sms_payload',
        'success_handler', 'comms.record_sms_success', 'error_handler', 'comms.record_sms_failure'),
        _on_in_doubt => (select 'fail' from internal.config as c where c.key = 'comms_on_in_doubt' and c.value = '"fail"')));
    return _id;
end
$$;
comment on function comms.schedule_sms_attempt(bigint) is 'Effect: one more attempt to send a text message.';
