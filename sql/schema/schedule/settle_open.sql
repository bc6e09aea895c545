-- internal.settle_open(_due), internal.opened_by(_process_id, _tasks), internal.cancel_open(_schedule, _tasks)
-- Leaves out the work that has ended, and counts its failures; cancels the work that is open.
-- A slot may have been merged into a task that waited already, or may have woken a process that somebody else opened.  Only
-- operators may cancel the work of others.  So such work is cancelled only if the owner is one; otherwise the slot waits for its end.
create or replace function internal.settle_open(_due queues.schedule_due) returns queues.schedule_due
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _open bigint[];
    _id bigint;
    _end record;
begin
    -- Oldest first: an end without failure starts the count again.
    for _i in reverse coalesce(cardinality(_due.open_tasks), 0) .. 1 loop
        _id := _due.open_tasks[_i];
        _end := internal.slot_end(_id);
        if _end.outcome is null then
            _open := _id || _open;
        elsif _end.outcome <> 'gone' then
            _due.failures := case when _end.is_failed then _due.failures + 1 else 0 end;
        end if;
    end loop;
    _due.open_tasks := _open;
    return _due;
end
$$;
comment on function internal.settle_open(queues.schedule_due) is 'Leaves out the work of a schedule that has ended.';

-- The tasks are those that a schedule made.  A process is theirs if one of them is, or has enqueued, its first run since its last end.
create or replace function internal.opened_by(_process_id bigint, _tasks bigint[]) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _run bigint;
    _ended timestamptz;
begin
    select e.ended_at, r.task_id into _ended, _run from queues.process_ended as e
    left join queues.process_run as r on r.process_id = e.process_id and r.run_no = e.run_no
    where e.process_id = _process_id order by e.run_no desc, e.ended_at desc limit 1;
    return (select t.task_id = any(_tasks) or coalesce(t.origin_task_id = any(_tasks), false) from queues.task as t
            where t.process_id = _process_id and t.is_supervisor_run and t.task_id > coalesce(_run, 0)
              and not exists (select 1 from queues.task_completed as c where c.task_id = t.task_id and c.completed_at <= _ended)
            order by t.task_id limit 1);
end
$$;
comment on function internal.opened_by(bigint, bigint[]) is 'Whether one of these tasks opened a process.';

create or replace function internal.cancel_open(_schedule queues.schedule, _tasks bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _reason constant text := format('replaced by the next slot of schedule %s', _schedule.schedule_name);
    _is_operator constant boolean := exists (select 1 from pg_roles as r
                                             where r.rolname = _schedule.owner and pg_has_role(r.oid, 'queues_operator', 'member'));
    -- A task that a fire made has its name, and the time of its decision.
    _own constant bigint[] := array(
        select i.task_id from (
            select t.task_id from queues.task as t
            where t.task_id = any(_tasks)
              and (_is_operator or t.task_type in ('job_http', 'job_func')
                   or t.payload->>'schedule_name' = _schedule.schedule_name
                      and exists (select 1 from queues.schedule_fire as f
                                  where f.schedule_id = _schedule.schedule_id and f.task_id = t.task_id and f.decided_at = t.scheduled_at))
        ) as t cross join lateral (values (t.task_id), (internal.last_attempt(t.task_id))) as i(task_id));
    _task record;
begin
    for _task in
        select t.task_id, t.task_type, t.payload, t.process_id, t.is_supervisor_run from queues.task as t
        where t.task_id = any(_tasks) and t.task_id = any(_own)
    loop
        if _task.task_type in ('job_http', 'job_func') then
            perform pgqueue.cancel_job((_task.payload->>'job_id')::bigint);
            continue;
        end if;
        perform queues.cancel_task(_task.task_id, _reason)
        where not exists (select 1 from queues.task_completed as c where c.task_id = internal.last_attempt(_task.task_id));
        perform queues.end_process(p.process_id, _reason)
        from (select _task.process_id where _task.is_supervisor_run
              union
              select n.process_id from queues.task as n
              where n.origin_task_id in (_task.task_id, internal.last_attempt(_task.task_id)) and n.is_supervisor_run) as p(process_id)
        where p.process_id is not null and internal.is_live(p.process_id)
          and (_is_operator or internal.opened_by(p.process_id, _own));
    end loop;
end
$$;
comment on function internal.cancel_open(queues.schedule, bigint[]) is 'Cancels open work of a schedule.';
