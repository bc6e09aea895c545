-- internal.set_runner_mode(_mode)
-- invoker: business functions run with the worker's own grants.  definer: the runner is security definer and owned by
-- queues_runner, which has the grants, and the worker's login can call none of the functions directly.  Grants on registered
-- functions are moved if the caller may do so; notices name the others.
create or replace function internal.set_runner_mode(_mode text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _to constant name := case _mode when 'definer' then 'queues_runner' else 'worker_service_user' end;
    _from constant name := case _mode when 'definer' then 'worker_service_user' else 'queues_runner' end;
    _function record;
    _holders name[];
begin
    if _mode is null or _mode not in ('invoker', 'definer') then
        raise exception using errcode = '22023', message = format('runner mode "%s" is not one of invoker, definer', _mode);
    end if;
    if not pg_has_role('queues_owner', 'member') then
        raise exception using errcode = '42501', message = 'only members of queues_owner may set the runner mode';
    end if;
    if _mode = 'definer' then
        grant create on schema internal to queues_runner;
        alter function internal.run_function(text, jsonb) security definer;
        alter function internal.run_function(text, jsonb) owner to queues_runner;
        alter function internal.run_leased(uuid, bigint, integer, text, jsonb) security definer;
        alter function internal.run_leased(uuid, bigint, integer, text, jsonb) owner to queues_runner;
        alter function internal.read_facts(uuid, bigint, integer) security definer;
        alter function internal.read_facts(uuid, bigint, integer) owner to queues_runner;
        revoke create on schema internal from queues_runner;
    else
        alter function internal.run_function(text, jsonb) owner to queues_owner;
        alter function internal.run_function(text, jsonb) security invoker;
        alter function internal.run_leased(uuid, bigint, integer, text, jsonb) owner to queues_owner;
        alter function internal.run_leased(uuid, bigint, integer, text, jsonb) security invoker;
        alter function internal.read_facts(uuid, bigint, integer) owner to queues_owner;
        alter function internal.read_facts(uuid, bigint, integer) security invoker;
    end if;
    perform internal.put_config('runner_mode', to_jsonb(_mode));
    for _function in
        -- By the catalog: the caller need not have USAGE on the schemas of the application.
        select p.oid::regprocedure as oid
        from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
        where exists (select 1 from internal.allowed_function as f where f.enabled
                      and (f.signature = format('%s.%s(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes))
                           or f.facts_function = format('%I.%I(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes))))
           or p.oid in (select internal.command_routines())
    loop
        _holders := array(select a.grantee::regrole::name from pg_proc as p, aclexplode(p.proacl) as a
                          where p.oid = _function.oid and a.grantee <> 0);
        if _to <> all(_holders) then
            perform internal.grant_function(_function.oid, _to);
        end if;
        -- Only one of the two roles has EXECUTE.
        if _from = any(_holders) then
            begin
                execute format('revoke execute on routine %s from %I', _function.oid, _from);
            exception when insufficient_privilege then
                raise notice using message = format('role "%s" may still execute %s', _from, _function.oid),
                    hint = format('revoke execute on routine %s from %I;', _function.oid, _from);
            end;
        end if;
        perform internal.warn_missing_grants(_function.oid, _to);
    end loop;
end
$$;
comment on function internal.set_runner_mode(text) is 'Chooses the role whose rights business functions run with.';
