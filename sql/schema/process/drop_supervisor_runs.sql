-- internal.drop_supervisor_runs(_process_id, _reason)
-- Cancels the waiting runs of a process that no other session holds.
create or replace function internal.drop_supervisor_runs(_process_id bigint, _reason text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.drop_ready(w.row, 'cancelled', _reason)
    from (select r as row from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run for update skip locked) as w;
end
$$;
comment on function internal.drop_supervisor_runs(bigint, text) is 'Cancels the waiting runs of a process.';
