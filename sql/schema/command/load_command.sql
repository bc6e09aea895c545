-- internal.load_command(_worker_id, _task_id, _lease_no)
-- A leased command with its calls; its running row is locked.  It raises QU002 if the lease is not the newest or belongs to another
-- worker.
create or replace function internal.load_command(_worker_id uuid, _task_id bigint, _lease_no integer) returns internal.command_run
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row constant queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
    _run internal.command_run;
begin
    if _row.task_id is null then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded, unknown or of another worker', _lease_no, _task_id);
    end if;
    select _worker_id, _task_id, _lease_no, t.payload->>'command', coalesce(_row.payload, t.payload), c.handler_call,
           c.handler_call not like 'call %($1)', c.after_call, c.status_type, coalesce(_row.phase = 'h', false),
           exists (select 1 from queues.merging as m where m.task_id = _task_id), c.before_call, _row.parent_id
    into _run
    from queues.task as t
    left join worker.command_registry as c on c.command = t.payload->>'command'
    where t.task_id = _task_id;
    return _run;
end
$$;
comment on function internal.load_command(uuid, bigint, integer) is 'A leased command with its calls.';
