-- internal.store_function(...)
-- Second half of internal.allow_function: writes the row, with the owner's rights.  Names come from the catalog by oid, so no text
-- from outside reaches a call.
create or replace function internal.store_function(_oid oid, _kind text, _facts_oid oid, _process_keys text[],
        _max_idle_runs integer, _enqueuers name[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _proc record;
    _facts text;
begin
    perform internal.check_text('process_keys', array_to_string(_process_keys, ','), 1024),
            internal.check_text('enqueuers', array_to_string(_enqueuers, ','), 8192);
    select n.nspname, p.proname, oidvectortypes(p.proargtypes) as types into strict _proc
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace where p.oid = _oid;
    select format('%I.%I', n.nspname, p.proname)
           || case when p.proargtypes[0] = 'jsonb'::regtype then '(jsonb)' else '(bigint)' end into _facts
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace where p.oid = _facts_oid;
    insert into internal.allowed_function (function_name, signature, call, kind, facts_function, process_keys,
        max_idle_runs, enqueuers, enabled, added_at, added_by)
    values (_proc.nspname || '.' || _proc.proname, format('%s.%s(%s)', _proc.nspname, _proc.proname, _proc.types),
        format('%I.%I', _proc.nspname, _proc.proname), _kind, _facts, _process_keys, _max_idle_runs, _enqueuers,
        true, queues.clock(), internal.actor())
    on conflict (function_name) do update
    set signature = excluded.signature, call = excluded.call, kind = excluded.kind,
        facts_function = excluded.facts_function, process_keys = excluded.process_keys,
        max_idle_runs = excluded.max_idle_runs, enqueuers = excluded.enqueuers, enabled = true,
        added_at = excluded.added_at, added_by = excluded.added_by;
    perform internal.audit('allow_function', _proc.nspname || '.' || _proc.proname, jsonb_build_object('kind', _kind));
end
$$;
comment on function internal.store_function(oid, text, oid, text[], integer, name[]) is
    'Writes a registration; called by internal.allow_function.';
