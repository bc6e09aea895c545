-- internal.quiet_runs(_process_id, _facts)
-- Quiet runs in a row before this one; 0 if the facts have changed since.
create or replace function internal.quiet_runs(_process_id bigint, _facts jsonb) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return coalesce((select case when _facts is not null and _facts is distinct from r.facts then 0 else r.quiet_runs end
                     from queues.process_run as r where r.process_id = _process_id
                     order by r.run_no desc limit 1), 0);
end
$$;
comment on function internal.quiet_runs(bigint, jsonb) is 'Quiet runs of a process before this one.';
