-- internal.slot_end(_task_id), internal.slot_outcome(_task_id)
-- The end of the work of a fired slot: null while it is open.  The work is a chain of attempts, a job with all its runs, a tree of
-- commands (its root ends last), or a task with the processes that it is a run of or that it started.
-- failed: the work did not end well.  gone: retention has removed it.
create or replace function internal.slot_end(_task_id bigint, out is_failed boolean, out outcome text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _task queues.task;
    _job bigint;
    _ended record;
    _process record;
begin
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    if not found then
        is_failed := false;
        outcome := 'gone';
        return;
    end if;
    if _task.task_type in ('job_http', 'job_func') then
        _job := (_task.payload->>'job_id')::bigint;
        select e.job_run, e.job_status into _ended from pgqueue.job_ended as e where e.job_id = _job order by e.end_no desc limit 1;
        if found and not exists (select 1 from pgqueue.job_run as r where r.job_id = _job and r.job_run > _ended.job_run) then
            outcome := case when _ended.job_status = 'completed' then 'succeeded' else _ended.job_status::text end;
            is_failed := outcome <> 'succeeded';
        end if;
        return;
    end if;
    select c.outcome into _ended from queues.task_completed as c where c.task_id = internal.last_attempt(_task_id);
    if not found then
        return;
    end if;
    -- The process of a supervisor, and processes that the work started or woke up.
    for _process in
        select p.process_id from (
            select _task.process_id where _task.is_supervisor_run
            union
            select n.process_id from queues.task as n
            where n.origin_task_id in (_task_id, internal.last_attempt(_task_id)) and n.is_supervisor_run) as p(process_id)
        where p.process_id is not null
    loop
        if exists (select 1 from queues.ready as r where r.process_id = _process.process_id and r.is_supervisor_run)
           or exists (select 1 from queues.running as r where r.process_id = _process.process_id and r.is_supervisor_run) then
            return;
        end if;
        if (select e.reason from queues.process_ended as e where e.process_id = _process.process_id
            order by e.run_no desc, e.ended_at desc limit 1)
           in ('supervisor_failed', 'run_limit', 'cancelled', 'quarantined', 'failed') then
            is_failed := true;
            outcome := 'process failed';
        end if;
    end loop;
    -- What a run of a supervisor returns is a status of its process; the end of the process counts.
    if not coalesce(_task.is_supervisor_run and _ended.outcome = 'non_success', false) and _ended.outcome not in ('succeeded', 'superseded') then
        is_failed := true;
        outcome := _ended.outcome;
    end if;
    is_failed := coalesce(is_failed, false);
    outcome := coalesce(outcome, 'succeeded');
end
$$;
comment on function internal.slot_end(bigint) is 'The end of the work of a fired slot; null: open.';

create or replace function internal.slot_outcome(_task_id bigint) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when _task_id is not null then coalesce((select e.outcome from internal.slot_end(_task_id) as e), 'open') end;
end
$$;
comment on function internal.slot_outcome(bigint) is 'How the work of a fired slot ended; open: it has not ended.';
