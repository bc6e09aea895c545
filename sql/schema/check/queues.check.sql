-- queues.check(_quiesced)
-- The invariants of facts and working set, each as one query.  No rows: healthy.  All parts read one snapshot, that of the
-- calling statement, so concurrent commits are no violations.
-- _quiesced: also check the invariants that hold only after all work was stopped and drained.
create or replace function queues.check(_quiesced boolean default false)
    returns table (invariant text, violations bigint, sample text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    select b.invariant, sum(b.violations)::bigint, min(b.sample)
    from (select c.* from unnest(array['working_set', 'trees', 'leases', 'completions', 'dispatches', 'processes', 'schedules']) as p(part)
          cross join lateral queues.check_part(p.part) as c
          union all
          -- After draining, no task is due and none is leased.
          select 'drained', 1, format('task %s is still due', r.task_id)
          from queues.ready as r where _quiesced and r.available_at <= clock_timestamp()
          union all
          select 'drained', 1, format('a merge into task %s', m.task_id) from queues.merging as m where _quiesced
          union all
          select 'drained', 1, format('task %s is still leased', r.task_id)
          from queues.running as r where _quiesced) as b
    group by b.invariant order by b.invariant;
end
$$;
comment on function queues.check(boolean) is 'Violated invariants of facts and working set; no rows: healthy.';
