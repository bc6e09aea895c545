-- comms.sms_attempt_of(_payload)
-- The attempt that the payload of a text message task is about: the one that it names, else of its
-- send_sms_task_id the newest without an outcome, else the newest.  Null: it names neither; 0:
-- the task has no attempt.
create or replace function comms.sms_attempt_of(_payload jsonb) returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text text := _payload->>'send_sms_attempt_id';
begin
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return nullif(_text::bigint, 0);
    end if;
    _text := _payload->>'send_sms_task_id';
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return coalesce((
            select a.send_sms_attempt_id from comms.send_sms_attempt as a
            where a.send_sms_task_id = _text::bigint
            order by coalesce((select true from comms.send_sms_attempt_succeeded as s
                               where s.send_sms_attempt_id = a.send_sms_attempt_id limit 1),
                              (select true from comms.send_sms_attempt_failed as f
                               where f.send_sms_attempt_id = a.send_sms_attempt_id limit 1), false), a.send_sms_attempt_id desc
            limit 1), 0);
    end if;
    return null;
end
$$;
comment on function comms.sms_attempt_of(jsonb) is 'The attempt that a payload is about.';
