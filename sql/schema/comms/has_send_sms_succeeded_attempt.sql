-- comms.has_send_sms_succeeded_attempt(_send_sms_task_id)
create or replace function comms.has_send_sms_succeeded_attempt(_send_sms_task_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from comms.send_sms_attempt as a
                   join comms.send_sms_attempt_succeeded as s on s.send_sms_attempt_id = a.send_sms_attempt_id
                   where a.send_sms_task_id = _send_sms_task_id);
end
$$;
comment on function comms.has_send_sms_succeeded_attempt(bigint) is 'Fact: the provider has accepted an attempt.';
