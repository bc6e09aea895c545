-- internal.check_leases()
-- Invariants of leases and their ends, over all history.  The server's clock may have been set back between two transactions.
-- So times of different transactions are compared only if the engine compared them too.
-- Called by  queues.check_part
create or replace function internal.check_leases() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    select 'finite_times', format('task %s', t.task_id) from queues.task as t where not isfinite(t.scheduled_at)
    union all
    -- Leases of a task are numbered 1..n.
    select 'lease_numbers', format('task %s has %s leases up to %s', l.task_id, count(*), max(l.lease_no))
    from queues.task_lease as l group by l.task_id having count(*) <> max(l.lease_no) or min(l.lease_no) <> 1
    union all
    -- A lease begins after the one before it has ended.
    select 'leases_do_not_overlap', format('task %s lease %s', l.task_id, l.lease_no)
    from queues.task_lease as l
    left join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no - 1
    where l.lease_no > 1 and e.task_id is null
    union all
    -- Nothing starts before its time.
    select 'not_before_its_time', format('task %s lease %s', l.task_id, l.lease_no)
    from queues.task_lease as l
    join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no - 1
    where l.leased_at < e.retry_at
      and not exists (select 1 from queues.task_changed as c where c.task_id = l.task_id)
    union all
    select 'not_before_its_time', format('task %s lease 1', l.task_id)
    from queues.task_lease as l join queues.task as t on t.task_id = l.task_id
    where l.lease_no = 1 and l.leased_at < t.scheduled_at
      and not exists (select 1 from queues.task_changed as c where c.task_id = l.task_id)
    union all
    -- No task dies more often than its limit allows.
    select 'crashes_are_bounded', format('task %s', e.task_id)
    from queues.task_lease_ended as e
    join queues.task as t on t.task_id = e.task_id
    join queues.registered_task_type as y on y.task_type = t.task_type
    where e.how in ('expired', 'abandoned')
    group by e.task_id, t.max_crashes, y.max_crashes
    having count(*) > coalesce(t.max_crashes, y.max_crashes)
    union all
    -- Facts belong to tasks.
    select 'facts_of_unknown_task', format('task %s', l.task_id)
    from queues.task_lease as l where not exists (select 1 from queues.task as t where t.task_id = l.task_id)
    union all
    select 'facts_of_unknown_task', format('task %s', e.task_id)
    from queues.task_lease_ended as e where not exists (select 1 from queues.task as t where t.task_id = e.task_id);
end
$$;
comment on function internal.check_leases() is 'Violations of leases and their ends.';
