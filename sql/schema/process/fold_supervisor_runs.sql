-- internal.fold_supervisor_runs(_process_id)
-- Keeps the earliest waiting run of a process and completes the others as superseded.  It returns the time of that run, or null if
-- none waits.  Rows that another session holds are left for the next run.
create or replace function internal.fold_supervisor_runs(_process_id bigint) returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
    _first queues.ready;
begin
    for _row in
        select r.* from queues.ready as r
        where r.process_id = _process_id and r.is_supervisor_run
        -- failpoint: fold.in_scan
        order by r.available_at, r.task_id for update skip locked
    loop
        if _first.task_id is null then
            _first := _row;
        elsif (_row.available_at, _row.task_id) < (_first.available_at, _first.task_id) then
            -- The run was brought forward before we locked it.
            perform internal.drop_ready(_first, 'superseded', 'folded into an earlier run of its process');
            _first := _row;
        else
            perform internal.drop_ready(_row, 'superseded', 'folded into an earlier run of its process');
        end if;
    end loop;
    return _first.available_at;
end
$$;
comment on function internal.fold_supervisor_runs(bigint) is 'Keeps one waiting run of a process.';
