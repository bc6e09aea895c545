-- internal.shown_payload(_task_id, _payload)
-- The payload of a waiting command with what was merged into it so far; for operators only.
create or replace function internal.shown_payload(_task_id bigint, _payload jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not internal.is_operator() then
        return null;
    end if;
    return internal.folded(_payload->>'command', array_prepend(_payload, array(
        select m.payload from queues.merging as m where m.task_id = _task_id order by m.merge_id)));
exception when assert_failure or others then
    return _payload; -- A merge function that fails makes no list unreadable.
end
$$;
comment on function internal.shown_payload(bigint, jsonb) is 'Payload of a waiting command, with its merges.';
