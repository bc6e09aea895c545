-- comms.has_send_email_succeeded_attempt(_send_email_task_id)
create or replace function comms.has_send_email_succeeded_attempt(_send_email_task_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from comms.send_email_attempt as a
                   join comms.send_email_attempt_succeeded as s on s.send_email_attempt_id = a.send_email_attempt_id
                   where a.send_email_task_id = _send_email_task_id);
end
$$;
comment on function comms.has_send_email_succeeded_attempt(bigint) is 'Fact: the provider has accepted an attempt.';
