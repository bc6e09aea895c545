-- internal.leased_call(_worker_id, _task_id, _lease_no, _position)
-- The statement and input of the call that a leased task names in a position.  Only the holder of the lease may ask (otherwise
-- QU002).  Positions: db_function and the three handlers of a task; facts; others are for the hook `call` of the type.
-- The statement is built from identifiers that the server has quoted, never from a name in the payload.
-- has_info: a procedure that returns info in a second parameter.  QU007: the function is not, or no longer, registered.
create or replace function internal.leased_call(_worker_id uuid, _task_id bigint, _lease_no integer, _position text,
        out statement text, out input jsonb, out has_info boolean, out has_result boolean)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row constant queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
    _task queues.task;
    _name text;
    _facts_of text;
    _hook text;
begin
    if _row.task_id is null then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded, unknown or of another worker', _lease_no, _task_id);
    end if;
    select t.* into strict _task from queues.task as t where t.task_id = _task_id;
    input := coalesce(_row.payload, _task.payload);
    has_info := false;
    has_result := true;
    if _position in ('db_function', 'before_handler', 'success_handler', 'error_handler') then
        _name := input->>_position;
        select 'select ' || f.call || '($1)' into statement from internal.allowed_function as f
        where f.function_name = _name and f.enabled and internal.fits_position(f.kind, _position);
    elsif _position = 'facts' then
        select f.facts_function, p.ids into _facts_of, input
        from queues.process as p join internal.allowed_function as f on f.function_name = p.supervisor and f.enabled
        where p.process_id = _row.process_id and _row.is_supervisor_run;
        -- The supervisor itself refuses an invalid id.
        if _facts_of like '%(bigint)' then
            input := (select to_jsonb(case when e.value #>> '{}' ~ '^-?[0-9]{1,18}$' then (e.value #>> '{}')::bigint end)
                      from jsonb_each(input) as e order by e.key limit 1);
        end if;
        statement := 'select pg_catalog.to_jsonb(f.*) from ' || regexp_replace(_facts_of, '\([a-z]+\)$', '')
            || case when _facts_of like '%(bigint)' then '($1::pg_catalog.int8) as f' else '($1) as f' end;
        return; -- null: the supervisor has no facts function
    else
        select t.hooks->>'call' into _hook from queues.registered_task_type as t where t.type_id = _row.type_id;
        if _hook is not null then
            execute format('select * from %s($1, $2, $3)', _hook) into statement, input, has_info, has_result, _name
            using _task_id, input, _position;
        end if;
    end if;
    if statement is null then
        raise exception using errcode = 'QU007', message = format('function "%s" is not registered', left(_name, 128)),
            hint = 'Register it with internal.allow_function.';
    end if;
end
$$;
comment on function internal.leased_call(uuid, bigint, integer, text) is 'The call that a leased task names in a position.';
