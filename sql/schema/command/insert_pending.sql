-- internal.insert_pending(_task)
-- Makes the waiting task of a dedup key.  Null: another session has just committed one; look again.  An open session that made one
-- holds its slot.  This function waits for it only a moment and then uses the next slot, so an open transaction delays nobody for
-- long.  If all slots are held, the task is made without a slot: it runs by itself, and nothing is lost.
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
                -- Above read committed, the task that the other session committed cannot be seen.
                if current_setting('transaction_isolation') = 'read committed' then
                    return null;
                end if;
            when lock_not_available then
                null; -- The transaction that holds the slot is still open.
        end;
    end loop;
    _task.dedup_key := null;
    return internal.insert_command(_task);
end
$$;
comment on function internal.insert_pending(internal.command_task) is 'Makes the waiting task of a dedup key.';
