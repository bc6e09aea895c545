-- internal.insert_pending(_task)
-- Makes the waiting task of a dedup key.  Null: another session has just committed one, look
-- again.  A session that made one and is still open holds its slot; it is waited for only a
-- moment, then the next slot is used: an open transaction delays nobody for long.  Were all
-- slots held, the task does without: it is run by itself, and nothing is lost.
create or replace function internal.insert_pending(_task internal.command_task) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _key constant text := _task.dedup_key;
    _patience constant text := current_setting('lock_timeout');
    _id bigint;
begin
    for _slot in 1 .. 4 loop
        _task.dedup_key := internal.dedup_slot(_key, _slot);
        begin
            perform set_config('lock_timeout', '100ms', true);
            _id := internal.insert_command(_task);
            perform set_config('lock_timeout', _patience, true);
            return _id;
        exception
            when unique_violation then
                -- Above read committed what the other committed cannot be seen.
                if current_setting('transaction_isolation') = 'read committed' then
                    return null;
                end if;
            when lock_not_available then
                null; -- Its owner is still open.
        end;
    end loop;
    _task.dedup_key := null;
    return internal.insert_command(_task);
end
$$;
comment on function internal.insert_pending(internal.command_task) is 'Makes the waiting task of a dedup key.';
