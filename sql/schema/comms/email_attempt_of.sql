-- comms.email_attempt_of(_payload)
-- The attempt that the payload of an e-mail task is about: the one that it names, else of its
-- send_email_task_id the newest without an outcome, else the newest.  Null: it names neither; 0:
-- the task has no attempt.
create or replace function comms.email_attempt_of(_payload jsonb) returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text text := _payload->>'send_email_attempt_id';
begin
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return nullif(_text::bigint, 0);
    end if;
    _text := _payload->>'send_email_task_id';
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return coalesce((
            select a.send_email_attempt_id from comms.send_email_attempt as a
            where a.send_email_task_id = _text::bigint
            order by coalesce((select true from comms.send_email_attempt_succeeded as s
                               where s.send_email_attempt_id = a.send_email_attempt_id limit 1),
                              (select true from comms.send_email_attempt_failed as f
                               where f.send_email_attempt_id = a.send_email_attempt_id limit 1), false), a.send_email_attempt_id desc
            limit 1), 0);
    end if;
    return null;
end
$$;
comment on function comms.email_attempt_of(jsonb) is 'The attempt that a payload is about.';
