-- comms.count_send_email_attempts(_send_email_task_id)
create or replace function comms.count_send_email_attempts(_send_email_task_id bigint) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select count(*)::integer from comms.send_email_attempt as a where a.send_email_task_id = _send_email_task_id);
end
$$;
comment on function comms.count_send_email_attempts(bigint) is 'Fact: how many attempts were made.';
