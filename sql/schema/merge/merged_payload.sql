-- internal.joined_payload(_task_id, _payload)
-- The payload of a waiting task that is no command, after all merges, from the facts: later keys replace earlier ones.
create or replace function internal.joined_payload(_task_id bigint, _payload jsonb) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _change record;
begin
    for _change in
        select c.payload from queues.task_changed as c
        where c.task_id = _task_id and c.reason = 'merge' order by c.change_no
    loop
        _payload := _payload || _change.payload;
    end loop;
    return _payload;
end
$$;
comment on function internal.joined_payload(bigint, jsonb) is 'Payload of a task that is no command after all merges.';

-- internal.merged_payload(_task_id, _payload)
-- The same for every task: the merges of a command are folded, perhaps by user code.
create or replace function internal.merged_payload(_task_id bigint, _payload jsonb) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _payload ? 'command' and exists (select 1 from queues.task as t where t.task_id = _task_id and t.task_type = 'command') then
        return internal.folded(_payload->>'command', array_prepend(_payload, array(
            select c.payload from queues.task_changed as c
            where c.task_id = _task_id and c.reason = 'merge' order by c.change_no)));
    end if;
    return internal.joined_payload(_task_id, _payload);
end
$$;
comment on function internal.merged_payload(bigint, jsonb) is 'Payload of a task after all merges.';
