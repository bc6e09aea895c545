-- internal.shown_payload(_task_id, _payload)
-- The payload of a waiting command with its merges so far, if rules fold them; for operators only.  A merge function is user code,
-- and looking must not run user code: see internal.shown_merges.
create or replace function internal.shown_payload(_task_id bigint, _payload jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule record;
begin
    if not internal.is_operator() then
        return null;
    end if;
    select c.dedup_policy, c.merge_rules, c.merge_call into _rule from worker.command_registry as c where c.command = _payload->>'command';
    if _rule.dedup_policy = 'skip' or _rule.merge_call is not null then
        return _payload;
    end if;
    return internal.fold_payload(_rule.merge_rules, array_prepend(_payload, array(
        select m.payload from queues.merging as m where m.task_id = _task_id order by m.merge_id)));
end
$$;
comment on function internal.shown_payload(bigint, jsonb) is 'Payload of a waiting command, with its merges.';

-- internal.shown_merges(_task_id, _payload)
-- The merges of a waiting command so far that its merge function will fold; null: none, or rules fold them.  For operators only.
create or replace function internal.shown_merges(_task_id bigint, _payload jsonb) returns jsonb
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_agg(m.payload - 'command' order by m.merge_id) from queues.merging as m
    where m.task_id = _task_id and internal.is_operator()
      and exists (select 1 from worker.command_registry as c
                  where c.command = _payload->>'command' and c.merge_call is not null and c.dedup_policy <> 'skip')
$$;
comment on function internal.shown_merges(bigint, jsonb) is 'Merges that a merge function will fold into a waiting command.';
