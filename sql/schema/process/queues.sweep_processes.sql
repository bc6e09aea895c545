-- queues.sweep_processes()
-- Gives a run to each process that has neither an open run nor an end fact, and returns their number.  The rules exclude such a
-- process; this is the second line of defence.
create or replace function queues.sweep_processes() returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _process record;
    _count integer := 0;
begin
    for _process in
        -- Processes without an end come first: it costs more to find out whether a process has an open run.
        select p.process_id from (
            select x.process_id from queues.process as x
            where x.created_at < clock_timestamp() - interval '1 minute'
              and not exists (select 1 from queues.process_ended as e
                              where e.process_id = x.process_id
                                and e.run_no = coalesce((select max(r.run_no) from queues.process_run as r
                                                         where r.process_id = x.process_id), 0))
              and exists (select 1 from queues.task as t where t.process_id = x.process_id and t.is_supervisor_run)
            offset 0) as lost
        join queues.process as p on p.process_id = lost.process_id
        where not internal.is_live(lost.process_id)
        -- failpoint: sweep.before_lock
        for no key update of p skip locked
    loop
        -- The run may have moved or ended meanwhile: look again, with the row of the process locked.
        continue when internal.is_live(_process.process_id)
            or exists (select 1 from queues.process_ended as e
                       where e.process_id = _process.process_id
                         and e.run_no = coalesce((select max(r.run_no) from queues.process_run as r
                                                  where r.process_id = _process.process_id), 0));
        perform queues.revive_process(_process.process_id, now());
        perform internal.record_error(null, null, format('process %s had neither a run nor an end', _process.process_id));
        _count := _count + 1;
    end loop;
    return _count;
end
$$;
comment on function queues.sweep_processes() is 'Gives a lost process a run.';
