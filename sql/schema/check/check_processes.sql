-- internal.check_processes()
-- Invariants of supervised processes, over all history.
-- Called by  queues.check_part
create or replace function internal.check_processes() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    -- Runs of a process are numbered 1..n.
    select 'run_numbers', format('process %s', r.process_id)
    from queues.process_run as r group by r.process_id having count(*) <> max(r.run_no) or min(r.run_no) <> 1
    union all
    -- A process that has begun has an open run, or an end after its last run.
    select 'process_open_or_ended', format('process %s', p.process_id)
    from queues.process as p
    left join (select r.process_id, max(r.run_no) as run_no from queues.process_run as r group by r.process_id) as n
        on n.process_id = p.process_id
    where not exists (select 1 from queues.ready as r where r.process_id = p.process_id and r.is_supervisor_run)
      and not exists (select 1 from queues.running as r where r.process_id = p.process_id and r.is_supervisor_run)
      and exists (select 1 from queues.task as t where t.process_id = p.process_id and t.is_supervisor_run)
      and not exists (select 1 from queues.process_ended as e
                      where e.process_id = p.process_id and e.run_no = coalesce(n.run_no, 0));
end
$$;
comment on function internal.check_processes() is 'Violations of processes.';
