-- comms.count_send_sms_failed_attempts(_send_sms_task_id)
create or replace function comms.count_send_sms_failed_attempts(_send_sms_task_id bigint) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select count(*)::integer from comms.send_sms_attempt as a
        join comms.send_sms_attempt_failed as f on f.send_sms_attempt_id = a.send_sms_attempt_id
        where a.send_sms_task_id = _send_sms_task_id);
end
$$;
comment on function comms.count_send_sms_failed_attempts(bigint) is 'Fact: how many attempts have failed.';
