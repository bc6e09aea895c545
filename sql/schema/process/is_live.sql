-- internal.is_live(_process_id)
-- Has the process an open run?
create or replace function internal.is_live(_process_id bigint) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run)
        or exists (select 1 from queues.running as r where r.process_id = _process_id and r.is_supervisor_run);
end
$$;
comment on function internal.is_live(bigint) is 'Whether a process has an open run.';
