-- internal.check_command()
-- Row trigger of worker.command_registry: finds every routine in the catalog, writes the calls, and grants EXECUTE to the worker's
-- role if the caller may.  Security invoker, so that grants are made with the caller's own rights.
create or replace function internal.check_command() returns trigger
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _runner constant name := internal.runner_role();
    _named record;
    _found record;
begin
    if new.command !~ '^[a-z][a-z0-9_]{0,62}$' then
        raise exception using errcode = '22023',
            message = format('command "%s" is not of the form a-z, 0-9 and _, at most 63', left(new.command, 128));
    end if;
    if new.handler_procedure is null or new.queue is null then
        raise exception using errcode = '22004', message = 'handler_procedure and queue must not be null';
    end if;
    perform internal.check_text(v.what, v.value, v.most)
    from (values ('description', new.description, 1024), ('status_type', new.status_type, 128),
                 ('dedup_keys', array_to_string(new.dedup_keys, ','), 1024), ('merge_rules', new.merge_rules::text, 8192),
                 ('enqueuers', array_to_string(new.enqueuers, ','), 8192)) as v(what, value, most);
    if tg_op = 'UPDATE' and new.command <> old.command then
        raise exception using errcode = '0A000', message = 'a command cannot be renamed',
            hint = 'Register it under the new name, and delete the old one when none of its tasks is open.';
    end if;
    new.dedup_policy := coalesce(new.dedup_policy, 'merge');
    if new.dedup_policy not in ('skip', 'merge', 'replace', 'error') then
        raise exception using errcode = '22023',
            message = format('dedup policy "%s" is not one of skip, merge, replace, error', left(new.dedup_policy, 64));
    end if;
    if new.timeout <= interval '0' or new.max_crashes not between 1 and 1000 then
        raise exception using errcode = '22023', message = 'timeout or max_crashes is out of range';
    end if;
    if array_position(new.dedup_keys, null) is not null or 'command' = any(new.dedup_keys) then
        raise exception using errcode = '22023', message = 'dedup_keys must be names of payload keys';
    end if;
    perform internal.require_queue(new.queue);
    perform internal.check_merge_rules(new.merge_rules);

    new.handler_call := null;
    new.before_call := null;
    new.after_call := null;
    new.merge_call := null;
    for _named in
        select * from (values ('handler', new.handler_procedure), ('before', new.before_procedure),
                              ('after', new.after_procedure), ('merge', new.merge_function)) as v(part, name)
        where v.name is not null
    loop
        _found := internal.resolve_routine(_named.name, case when _named.part in ('before', 'after') then 'hook' else _named.part end);
        case _named.part
            when 'handler' then new.handler_call := _found.call;
            when 'before' then new.before_call := _found.call;
            when 'after' then new.after_call := _found.call;
            else new.merge_call := _found.call;
        end case;
        if _found.prosecdef and not _found.has_search_path then
            raise warning using message = format('%s is security definer without a search_path of its own', _found.oid::regprocedure),
                hint = format('alter routine %s set search_path = pg_catalog, pg_temp;', _found.oid::regprocedure);
        elsif not _found.prosecdef and _named.part <> 'merge' and _runner = 'worker_service_user' then
            raise notice using message = format('%s is not security definer', _found.oid::regprocedure),
                detail = format('It will run with the rights of role "%s", which has none on tables.', _runner);
        end if;
        -- In both modes the runner's role folds merges: see internal.call_merge.
        perform internal.grant_function(_found.oid, case _named.part when 'merge' then 'queues_runner' else _runner end);
        perform internal.warn_missing_grants(_found.oid, case _named.part when 'merge' then 'queues_runner' else _runner end);
    end loop;
    return new;
end
$$;
comment on function internal.check_command() is 'Checks a command and finds its routines.';
