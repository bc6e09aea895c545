-- internal.has_other_work(_process_id)
-- Is anything else of this process, or of a child process, still open?
create or replace function internal.has_other_work(_process_id bigint) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run is null)
        or exists (select 1 from queues.running as r where r.process_id = _process_id and r.is_supervisor_run is null)
        or exists (select 1 from queues.process as c
                   where c.parent_process_id = _process_id
                     and ((select true from queues.ready as r where r.process_id = c.process_id limit 1)
                       or (select true from queues.running as r where r.process_id = c.process_id limit 1)));
end
$$;
comment on function internal.has_other_work(bigint) is 'Whether a process waits for work of its own.';
