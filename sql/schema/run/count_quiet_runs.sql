-- internal.count_quiet_runs(_facts)
-- For supervisors that return their facts: how many quiet runs have gone before this one, if these
-- are the facts that it sees, so that queues.recheck_delay can make the next wait longer.  Nothing
-- outside a run.
create or replace function internal.count_quiet_runs(_facts jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _process constant bigint := (select r.process_id from internal.current_run() as r);
begin
    if _process is not null then
        perform set_config('reeve.quiet_runs', internal.quiet_runs(_process, _facts)::text, true);
    end if;
end
$$;
comment on function internal.count_quiet_runs(jsonb) is 'Tells queues.recheck_delay how long nothing has changed.';
