-- internal.allow_function(_function, _kind, ...)
-- Registers a function that tasks may name, after finding it in the catalog, and grants EXECUTE to the role that runs it if the
-- caller may do so.  A call needs both the registration and the grant; each can be removed alone.
-- Security invoker, so that the grant is made with the caller's own rights.
create or replace function internal.allow_function(_function text, _kind text default 'task',
        _facts_function text default null, _process_keys text[] default null,
        _max_idle_runs integer default null, _enqueuers name[] default null, _grant boolean default true)
    returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _kinds constant text[] := string_to_array(replace(_kind, ' ', ''), ',');
    _runner constant name := internal.runner_role();
    _proc record;
    _facts_oid oid;
    _facts record;
begin
    if _function is null or _kind is null then
        raise exception using errcode = '22004', message = 'function and kind must not be null';
    end if;
    if _kinds = '{}' or exists (select 1 from unnest(_kinds) as k(kind) where k.kind not in
            ('task', 'supervisor', 'before', 'success', 'error', 'job', 'facts')) then
        raise exception using errcode = '22023', message = format('unknown kind "%s" of function', _kind),
            hint = 'Kinds are task, supervisor, before, success, error, job and facts.';
    end if;
    if _max_idle_runs < 1 then
        raise exception using errcode = '22023', message = format('max_idle_runs %s is below 1', _max_idle_runs);
    end if;
    _proc := internal.resolve_function(_function, _kinds);
    if _facts_function is not null then
        _facts := internal.resolve_function(_facts_function, array['facts']);
        _facts_oid := _facts.oid;
        if not _facts.prosecdef then
            raise warning using message = format('facts function %s is not security definer', _facts.signature),
                detail = format('It runs with the rights of "%s", which can read no table.', _runner),
                hint = format('alter function %s security definer set search_path = pg_catalog, pg_temp;', _facts.signature);
        end if;
    end if;
    if _proc.prosecdef and not _proc.has_search_path then
        raise warning using message = format('function %s is security definer without a search_path of its own', _proc.signature),
            hint = format('alter function %s set search_path = pg_catalog, pg_temp;', _proc.signature);
    end if;
    perform internal.store_function(_proc.oid, array_to_string(_kinds, ','), _facts_oid, _process_keys,
                                    _max_idle_runs, _enqueuers);
    if _grant then
        perform internal.grant_function(_proc.oid, _runner);
        if _facts_oid is not null then
            perform internal.grant_function(_facts_oid, _runner);
        end if;
    end if;
    perform internal.warn_missing_grants(_proc.oid, _runner);
    return _proc.signature;
end
$$;
comment on function internal.allow_function(text, text, text, text[], integer, name[], boolean) is
    'Registers a function that tasks may name, and grants it to the worker if possible.';
