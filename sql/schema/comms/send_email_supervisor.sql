-- comms.send_email_supervisor(_payload), comms.email_send_supervisor(_payload)
-- Supervises one e-mail (send_email_task_id): two attempts at most, looks again after 5 s, 10 s.
-- The root row is locked first, in a statement of its own; a second run waits there and then sees
-- what the first one did.
-- Ends as succeeded, max_attempts_reached, or in_doubt where the setting comms_on_in_doubt is fail.
create or replace function comms.send_email_supervisor(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _max_attempts constant integer := 2;
    _text constant text := _payload->>'send_email_task_id';
    _id constant bigint := case when length(_text) between 1 and 18 and translate(_text, '0123456789', '') = ''
                                then nullif(_text::bigint, 0) end;
    _facts record;
    _status text;
begin
    perform internal.require_own_run(_payload);
    if _id is null then
        return jsonb_build_object('status', 'missing_send_email_task_id');
    end if;
    if current_setting('transaction_isolation') <> 'read committed' then
        perform internal.require_read_committed('send_email_supervisor');
    end if;
    perform 1 from comms.send_email_task as t where t.send_email_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', 'send_email_task_not_found');
    end if;
    _facts := comms.send_email_supervisor_facts(_id);
    if not _facts.has_success and _facts.num_lost > 0 then
        perform comms.record_lost_email_attempts(_id);
        _facts := comms.send_email_supervisor_facts(_id);
    end if;

    if _facts.has_success then
        _status := 'succeeded';
    elsif _facts.num_in_doubt > 0 and internal.text_setting('comms_on_in_doubt') = 'fail' then
        _status := 'in_doubt';
    elsif _facts.num_failures >= _max_attempts then
        _status := 'max_attempts_reached';
    else
        if _facts.num_attempts = _facts.num_failures then
            perform comms.schedule_email_attempt(_id);
        else
            perform internal.count_quiet_runs(to_jsonb(_facts));
        end if;
        perform comms.schedule_email_supervisor_recheck(_id, _facts.num_failures);
        _status := 'scheduled';
    end if;
    return jsonb_build_object('status', _status, 'payload', jsonb_build_object('facts', to_jsonb(_facts)));
end
$$;
comment on function comms.send_email_supervisor(jsonb) is 'Supervises the sending of one e-mail.';

create or replace function comms.email_send_supervisor(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return comms.send_email_supervisor(_payload);
end
$$;
comment on function comms.email_send_supervisor(jsonb) is 'Older name of comms.send_email_supervisor, whose runs follow.';
