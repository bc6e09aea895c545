-- internal.leased_call(_worker_id, _task_id, _lease_no, _position)
-- The statement that calls what a leased task names in a position, and its input; for the holder of the lease only
-- (else QU002).  Positions: db_function and the three handlers of a task; handler, before and after of a command; job;
-- facts.  The statement is built from identifiers that the server has quoted, never from a name in the payload.
-- has_info: it is a procedure that gives back info, and takes a second parameter.  QU007: not, or no longer, registered.
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
    elsif _position in ('handler', 'before', 'after') then
        _name := input->>'command';
        select case _position when 'handler' then c.handler_call when 'before' then c.before_call else c.after_call end
        into statement from worker.command_registry as c where c.command = _name and _task.task_type = 'command';
        has_info := _position = 'handler' and statement not like 'call %($1)';
        has_result := has_info;
    elsif _position = 'job' then
        select case when j.url like '%.%' then j.url else 'public.' || j.url end, j.payload into _name, input
        from pgqueue.job as j where j.job_id = (_task.payload->>'job_id')::bigint and _task.task_type = 'job_func';
        statement := internal.job_call(_name, input);
    elsif _position = 'facts' then
        select f.facts_function, p.ids into _facts_of, input
        from queues.process as p join internal.allowed_function as f on f.function_name = p.supervisor and f.enabled
        where p.process_id = _row.process_id and _row.is_tick;
        -- An id that is none is for the supervisor to refuse.
        if _facts_of like '%(bigint)' then
            input := (select to_jsonb(case when e.value #>> '{}' ~ '^-?[0-9]{1,18}$' then (e.value #>> '{}')::bigint end)
                      from jsonb_each(input) as e order by e.key limit 1);
        end if;
        statement := 'select pg_catalog.to_jsonb(f.*) from ' || regexp_replace(_facts_of, '\([a-z]+\)$', '')
            || case when _facts_of like '%(bigint)' then '($1::pg_catalog.int8) as f' else '($1) as f' end;
        return; -- null: the supervisor has none
    end if;
    if statement is null then
        raise exception using errcode = 'QU007',
            message = case when _position in ('handler', 'before', 'after') then format('command "%s" is not registered', left(_name, 128))
                           else format('function "%s" is not registered', left(_name, 128)) end,
            hint = 'Register it with internal.allow_function, or worker.register_command.';
    end if;
end
$$;
comment on function internal.leased_call(uuid, bigint, integer, text) is 'What a leased task calls in a position.';
