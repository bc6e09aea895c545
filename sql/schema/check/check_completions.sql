-- internal.check_completions()
-- Invariants of completions, over all history.
-- Called by  queues.check_part
create or replace function internal.check_completions() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    -- A completion carries the newest lease, and that lease has no other end.
    select 'completion_of_newest_lease', format('task %s', c.task_id)
    from queues.task_completed as c
    left join (select l.task_id, max(l.lease_no) as lease_no from queues.task_lease as l group by l.task_id) as n
        on n.task_id = c.task_id
    where c.lease_no <> n.lease_no
    union all
    select 'completion_of_newest_lease', format('task %s', c.task_id)
    from queues.task_completed as c
    join queues.task_lease_ended as e on e.task_id = c.task_id and e.lease_no = c.lease_no
    where c.outcome not in ('cancelled', 'quarantined', 'superseded')
    union all
    -- Every other lease of a completed task has ended, so none was begun afterwards.
    select 'no_lease_after_completion', format('task %s', l.task_id)
    from queues.task_lease as l
    join queues.task_completed as c on c.task_id = l.task_id
    left join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no
    where l.lease_no is distinct from c.lease_no and e.task_id is null
    union all
    select 'facts_of_unknown_task', format('task %s', c.task_id)
    from queues.task_completed as c where not exists (select 1 from queues.task as t where t.task_id = c.task_id);
end
$$;
comment on function internal.check_completions() is 'Violations of completions.';
