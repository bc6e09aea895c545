-- comms.get_sms_payload(_payload)
-- Before handler of sms tasks: the message as the provider needs it.  The idempotency key is that of the
-- logical send, the same for every attempt.
create or replace function comms.get_sms_payload(_payload jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _attempt constant bigint := comms.sms_attempt_of(_payload);
    _send record;
begin
    perform internal.require_own_run(_payload);
    if _attempt is null then
        return jsonb_build_object('status', 'missing_send_sms_attempt_id');
    end if;
    select t.message_id, t.task_uuid, m.message_id as sms_message_id, m.to_number, m.body,
           exists (select 1 from comms.send_sms_attempt as b
                   join comms.send_sms_attempt_succeeded as s on s.send_sms_attempt_id = b.send_sms_attempt_id
                   where b.send_sms_task_id = a.send_sms_task_id) as is_done
    into _send
    from comms.send_sms_attempt as a
    join comms.send_sms_task as t on t.send_sms_task_id = a.send_sms_task_id
    left join comms.sms_message as m on m.message_id = t.message_id
    where a.send_sms_attempt_id = _attempt;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    elsif _send.sms_message_id is null then
        return jsonb_build_object('status', 'sms_message_not_found');
    elsif _send.is_done then
        return jsonb_build_object('status', 'already_done');
    end if;
    return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('message_id', _send.message_id,
        'to_number', _send.to_number, 'body', _send.body, 'idempotency_key', 'send_sms/' || _send.task_uuid));
end
$$;
comment on function comms.get_sms_payload(jsonb) is 'Before handler: what the provider needs to send a text message.';
