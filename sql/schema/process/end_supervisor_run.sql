-- internal.end_supervisor_run(_end)
-- Book-keeping after one run of a supervisor, in the transaction of the run: its facts and decision, one next run at most, and an
-- end fact if nothing is open.  Two runs of one process wait for each other at the lock of its row.
create or replace function internal.end_supervisor_run(_end internal.run_end) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _last queues.process_run;
    _run queues.process_run;
    _limit integer;
    _next timestamptz;
    _cancelled text;
begin
    perform 1 from queues.process as p where p.process_id = _end.process_id for no key update;
    select r.* into _last from queues.process_run as r
    where r.process_id = _end.process_id order by r.run_no desc limit 1;
    -- If the process ended after its last run, or was revived since then, all counts begin again.  The order of tasks tells this,
    -- which does not depend on a clock.
    if _last.run_no is not null and (
           exists (select 1 from queues.process_revived as v
                   where v.process_id = _end.process_id and v.task_id > _last.task_id)
           or exists (select 1 from queues.process_ended as e
                      where e.process_id = _end.process_id and e.run_no = _last.run_no)) then
        _last.quiet_runs := 0;
        _last.idle_runs := 0;
        _last.failures := 0;
        _last.status := null;
        _last.facts := null;
    end if;
    _next := internal.fold_supervisor_runs(_end.process_id);
    _run.process_id := _end.process_id;
    _run.run_no := coalesce(_last.run_no, 0) + 1;
    _run.task_id := _end.task_id;
    _run.lease_no := _end.lease_no;
    _run.ran_at := queues.clock();
    _run.facts := _end.facts;
    _run.status := _end.status;
    _run.failed := _end.has_raised;
    _run.enqueued := coalesce(_end.enqueued, 0);
    _run.quiet_runs := 0;
    _run.idle_runs := 0;
    _run.failures := case when _end.has_raised then coalesce(_last.failures, 0) + 1 else 0 end;

    if _end.has_raised then
        _limit := internal.number_setting('supervisor_retry_limit');
        if _next is null and _run.failures < _limit then
            _next := internal.enqueue_next_run(_end.task_id, _run.failures);
        end if;
    elsif _last.run_no is not null and not _last.failed and _run.enqueued = 0
          and coalesce(_end.facts = _last.facts, _end.facts is null and _last.facts is null and _end.status = _last.status, false) then
        _run.quiet_runs := _last.quiet_runs + 1;
        if not internal.has_other_work(_end.process_id) then
            _run.idle_runs := _last.idle_runs + 1;
        end if;
    end if;
    _run.next_run_at := _next;
    insert into queues.process_run values (_run.*);

    if _run.idle_runs > 0 then
        _limit := coalesce((select f.max_idle_runs from internal.allowed_function as f
                            join queues.process as p on p.supervisor = f.function_name
                            where p.process_id = _end.process_id), internal.number_setting('max_idle_runs')::integer);
    end if;
    select c.reason into _cancelled from queues.task_cancel_requested as c where c.task_id = _end.task_id;
    if found then
        -- Cancelled while it ran: the work of this run stands, its next run does not.
        perform internal.drop_supervisor_runs(_end.process_id, coalesce(_cancelled, 'cancelled'));
        perform internal.close_process_if_done(_end.process_id, 'cancelled', _cancelled);
    elsif _run.idle_runs > 0 and _run.idle_runs >= _limit and _next is not null then
        perform internal.record_error(_end.task_id, _end.lease_no,
            format('process %s ended: %s runs in a row without progress', _end.process_id, _run.idle_runs), null, 'supervisor');
        perform internal.drop_supervisor_runs(_end.process_id, 'run limit');
        perform internal.close_process_if_done(_end.process_id, 'run_limit',
            format('%s runs in a row without progress', _run.idle_runs));
    elsif _next is null and not exists (select 1 from queues.ready as r where r.process_id = _end.process_id and r.is_supervisor_run)
          and not exists (select 1 from queues.running as r where r.process_id = _end.process_id and r.is_supervisor_run) then
        -- As internal.close_process_if_done; the row of the process is locked already.
        insert into queues.process_ended (process_id, run_no, ended_at, reason, message)
        values (_end.process_id, _run.run_no, _run.ran_at,
                case when _end.has_raised then 'supervisor_failed' else _end.status end,
                case when _end.has_raised then _end.error end)
        on conflict do nothing;
    end if;
end
$$;
comment on function internal.end_supervisor_run(internal.run_end) is 'Book-keeping after a run of a supervisor.';
