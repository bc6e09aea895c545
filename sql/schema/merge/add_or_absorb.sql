-- internal.add_or_absorb(...)
-- Adds a task that has a dedup key, or merges it into the waiting task of that key.  The unique slot decides: the session that loses
-- the race looks again.
create or replace function internal.add_or_absorb(_rule internal.task_rule, _task_type text, _payload jsonb, _at timestamptz,
        _priority bigint, _kind text, _extras internal.task_extras, _policy text) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    loop
        _id := internal.absorb(_rule.queue_id, _rule.type_id, _extras.dedup_key, _policy, _payload, _at, coalesce(_priority, 0));
        if _id is not null then
            return _id;
        end if;
        -- failpoint: merge.after_lookup
        begin
            return internal.add_task(_rule, _task_type, _payload, _at, _priority, _kind, _extras);
        exception when unique_violation then
            -- Another session took the slot between our lookup and our insert.
            if current_setting('transaction_isolation') <> 'read committed' then
                raise exception using errcode = '40001',
                    message = 'could not serialize access due to a concurrent task with the same dedup key';
            end if;
        end;
    end loop;
end
$$;
comment on function internal.add_or_absorb(internal.task_rule, text, jsonb, timestamptz, bigint, text, internal.task_extras, text) is
    'Adds a task, or merges it into the waiting task of its dedup key.';
