-- comms.count_send_email_attempts(_send_email_task_id)
create or replace function comms.count_send_email_attempts(_send_email_task_id bigint) returns integer
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select count(*)::integer from comms.send_email_attempt as a where a.send_email_task_id = _send_email_task_id
$$;
comment on function comms.count_send_email_attempts(bigint) is 'Fact: how many attempts were made.';
