-- internal.folded(_command, _payloads)
-- The result of merging these payloads of a command: by its merge function, otherwise by its rules.  Policy skip keeps the first.
create or replace function internal.folded(_command text, _payloads jsonb[]) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule record;
    _result jsonb;
    _payload jsonb;
begin
    select c.dedup_policy, c.merge_rules, c.merge_call into _rule from worker.command_registry as c where c.command = _command;
    if _rule.dedup_policy = 'skip' then
        return _payloads[1];
    elsif _rule.merge_call is null then
        return internal.fold_payload(_rule.merge_rules, _payloads);
    end if;
    foreach _payload in array _payloads loop
        _result := case when _result is null then _payload else internal.call_merge(_rule.merge_call, _result, _payload) end;
    end loop;
    return _result || jsonb_build_object('command', _command);
end
$$;
comment on function internal.folded(text, jsonb[]) is 'Result of merging payloads of a command.';
