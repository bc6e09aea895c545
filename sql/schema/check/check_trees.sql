-- internal.check_trees(_is_quick)
-- Invariants of parents and children.  Quick: only of open ones.
-- Called by  queues.check_part
create or replace function internal.check_trees(_is_quick boolean) returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    with child as materialized (
        select r.parent_id, r.phase is not distinct from 'b' as is_blocked from queues.ready as r where r.parent_id is not null
        union all
        select r.parent_id, false from queues.running as r where r.parent_id is not null
    ), tree as (
        select c.parent_id, bool_or(c.is_blocked) as has_blocked, count(*) filter (where not c.is_blocked) as may_run
        from child as c group by c.parent_id
    )
    -- A parent waits only while a child is open.  Of serial children, one at a time may run.
    select 'parent_waits_for_children', format('task %s', r.task_id)
    from queues.ready as r left join tree as f on f.parent_id = r.task_id
    where r.phase = 'w' and f.parent_id is null
    union all
    select 'one_serial_child', format('children of task %s', f.parent_id)
    from tree as f join queues.ready as r on r.task_id = f.parent_id and r.phase = 'w'
    where f.has_blocked and f.may_run <> 1
      and (select p.child_mode from worker.task_parent as p where p.task_id = f.parent_id limit 1) = 'serial'
    union all
    -- A parent that failed has no child that still waits to begin.
    select 'failed_parent_cancels', format('task %s', r.task_id)
    from queues.ready as r
    where r.lease_no = 0 and r.parent_id is not null
      and (select c.outcome from queues.task_completed as c where c.task_id = r.parent_id limit 1)
          in ('failed', 'cancelled', 'quarantined')
    union all
    select 'depth_of_child', format('task %s', k.task_id)
    from queues.task as k join queues.task as t on t.task_id = k.parent_id
    where not _is_quick and t.task_type = 'command' and coalesce(k.depth, 0) <> coalesce(t.depth, 0) + 1;
end
$$;
comment on function internal.check_trees(boolean) is 'Violations of parents and children.';
