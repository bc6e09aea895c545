-- files.file_deletion_attempt_of(_payload)
-- The attempt of the payload of a file_delete task: the attempt that it names; otherwise, of its file_deletion_task_id, the newest
-- without an outcome, or else the newest.  Null: the payload names neither.  0: the task has no attempt.
create or replace function files.file_deletion_attempt_of(_payload jsonb) returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text text := _payload->>'file_deletion_attempt_id';
begin
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return nullif(_text::bigint, 0);
    end if;
    _text := _payload->>'file_deletion_task_id';
    if length(_text) between 1 and 18 and translate(_text, '0123456789', '') = '' then
        return coalesce((
            select a.file_deletion_attempt_id from files.file_deletion_attempt as a
            where a.file_deletion_task_id = _text::bigint
            order by coalesce((select true from files.file_deletion_attempt_succeeded as s
                               where s.file_deletion_attempt_id = a.file_deletion_attempt_id limit 1),
                              (select true from files.file_deletion_attempt_failed as f
                               where f.file_deletion_attempt_id = a.file_deletion_attempt_id limit 1), false), a.file_deletion_attempt_id desc
            limit 1), 0);
    end if;
    return null;
end
$$;
comment on function files.file_deletion_attempt_of(jsonb) is 'The attempt that a payload belongs to.';
