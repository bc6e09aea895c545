-- internal.count_quiet_runs(_facts)
-- For supervisors that return their facts: sets the number of quiet runs before this one, given the facts that it sees.  With it
-- queues.recheck_delay can make the next wait longer.  Outside a run it does nothing.
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
comment on function internal.count_quiet_runs(jsonb) is 'Sets the number of quiet runs for queues.recheck_delay.';
