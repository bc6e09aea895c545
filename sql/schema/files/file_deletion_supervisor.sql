-- files.file_deletion_supervisor(_payload)
-- Supervises the deletion of one file (file_deletion_task_id): three attempts at most, with re-checks after 10 s, 20 s, 40 s.  The
-- root row is locked first, in a statement of its own: a second run waits there and then sees the work of the first.
-- It ends as succeeded, already_deleted (by another program) or max_attempts_reached.
create or replace function files.file_deletion_supervisor(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _max_attempts constant integer := 3;
    _text constant text := _payload->>'file_deletion_task_id';
    _id constant bigint := case when length(_text) between 1 and 18 and translate(_text, '0123456789', '') = ''
                                then nullif(_text::bigint, 0) end;
    _facts record;
    _status text;
begin
    perform internal.require_own_run(_payload);
    if _id is null then
        return jsonb_build_object('status', 'missing_file_deletion_task_id');
    end if;
    if current_setting('transaction_isolation') <> 'read committed' then
        perform internal.require_read_committed('file_deletion_supervisor');
    end if;
    perform 1 from files.file_deletion_task as t where t.file_deletion_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', 'file_deletion_task_not_found');
    end if;
    _facts := files.file_deletion_supervisor_facts(_id);
    if not _facts.has_success and not _facts.is_deleted and _facts.num_lost > 0 then
        perform files.record_lost_file_deletion_attempts(_id);
        _facts := files.file_deletion_supervisor_facts(_id);
    end if;

    if _facts.has_success then
        _status := 'succeeded';
    elsif _facts.is_deleted then
        _status := 'already_deleted';
    elsif _facts.num_failures >= _max_attempts then
        _status := 'max_attempts_reached';
    else
        if _facts.num_attempts = _facts.num_failures then
            perform files.schedule_file_deletion_attempt(_id);
        else
            perform internal.count_quiet_runs(to_jsonb(_facts));
        end if;
        perform files.schedule_file_deletion_recheck(_id, _facts.num_failures);
        _status := 'scheduled';
    end if;
    return jsonb_build_object('status', _status, 'payload', jsonb_build_object('facts', to_jsonb(_facts)));
end
$$;
comment on function files.file_deletion_supervisor(jsonb) is 'Supervises the deletion of one file.';
