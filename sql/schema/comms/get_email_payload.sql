-- comms.get_email_payload(_payload)
-- Before handler of e-mail tasks: the message as the provider needs it.  The idempotency key is that of the
-- logical send, the same for every attempt.
create or replace function comms.get_email_payload(_payload jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _attempt constant bigint := comms.email_attempt_of(_payload);
    _send record;
begin
    perform internal.require_own_run(_payload);
    if _attempt is null then
        return jsonb_build_object('status', 'missing_send_email_attempt_id');
    end if;
    select t.message_id, t.task_uuid, m.message_id as email_message_id, m.from_address, m.to_address, m.subject, m.html,
           exists (select 1 from comms.send_email_attempt as b
                   join comms.send_email_attempt_succeeded as s on s.send_email_attempt_id = b.send_email_attempt_id
                   where b.send_email_task_id = a.send_email_task_id) as is_done
    into _send
    from comms.send_email_attempt as a
    join comms.send_email_task as t on t.send_email_task_id = a.send_email_task_id
    left join comms.email_message as m on m.message_id = t.message_id
    where a.send_email_attempt_id = _attempt;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    elsif _send.email_message_id is null then
        return jsonb_build_object('status', 'email_message_not_found');
    elsif _send.is_done then
        return jsonb_build_object('status', 'already_done');
    end if;
    return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('message_id', _send.message_id,
        'from_address', _send.from_address, 'to_address', _send.to_address, 'subject', _send.subject, 'html', _send.html,
        'idempotency_key', 'send_email/' || _send.task_uuid));
end
$$;
comment on function comms.get_email_payload(jsonb) is 'Before handler: what the provider needs to send an e-mail.';
