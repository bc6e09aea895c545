-- internal.check_working_set(_from)
-- Invariants of the working set: the facts imply exactly the rows of ready and running.  Tasks from _from on are
-- looked up in the facts and in the working set, so a lost row is found.  Older tasks are checked only if they have a working
-- row, up to 100,000 in each table.  With _from = 0, this is one pass over all tasks and completions, then a few lookups per
-- open task.  With a recent _from, the cost depends neither on the history nor on the backlog.
-- Called by  queues.check_part
create or replace function internal.check_working_set(_from bigint) returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    -- Open tasks are looked up one by one, by index, whatever size the planner assumes for the tables.
    set plan_cache_mode = force_custom_plan set jit = off set enable_seqscan = off set enable_material = off
as $$
begin
    return query
    with working as materialized (
        select r.task_id, false as is_running, r.lease_no, r.available_at as at, r.queue_id, r.priority, r.phase,
               r.crash_count, r.retry_count
        from queues.ready as r where r.task_id >= _from
        union all
        (select r.task_id, false, r.lease_no, r.available_at, r.queue_id, r.priority, r.phase, r.crash_count, r.retry_count
         from queues.ready as r where r.task_id < _from limit 100000)
        union all
        select r.task_id, true, r.lease_no, r.expires_at, r.queue_id, r.priority, r.phase, r.crash_count, r.retry_count
        from queues.running as r where r.task_id >= _from
        union all
        (select r.task_id, true, r.lease_no, r.expires_at, r.queue_id, r.priority, r.phase, r.crash_count, r.retry_count
         from queues.running as r where r.task_id < _from limit 100000)
    ), looked_at as materialized (
        select o.task_id from internal.open_task_ids(_from) as o(task_id)
        union
        select w.task_id from working as w
    ), expected as materialized (
        select e.task_id, false as is_running, e.lease_no, e.available_at as at, e.queue_id, e.priority, e.phase,
               e.crash_count, e.retry_count
        from looked_at as w
        cross join lateral (select x.* from internal.expected_ready as x where x.task_id = w.task_id offset 0) as e
        union all
        select e.task_id, true, e.lease_no, e.expires_at, e.queue_id, e.priority, e.phase, e.crash_count, e.retry_count
        from looked_at as w
        cross join lateral (select x.* from internal.expected_running as x where x.task_id = w.task_id offset 0) as e
    )
    -- A task is in exactly one of ready, running, completed.
    select 'one_place', format('task %s is in %s places', p.task_id, p.places)
    from (select coalesce(e.task_id, w.task_id) as task_id, coalesce(w.places, 0)
                 + case when (select true from queues.task_completed as c where c.task_id = coalesce(e.task_id, w.task_id) limit 1)
                        then 1 else 0 end as places
          from (select distinct x.task_id from expected as x) as e
          full join (select x.task_id, count(*) as places from working as x group by x.task_id) as w on w.task_id = e.task_id) as p
    where p.places <> 1
    union all
    -- The working rows are those that the facts imply, with the same key and number.
    select case when coalesce(e.is_running, w.is_running) then 'running_follows_facts' else 'ready_follows_facts' end,
           format('task %s', coalesce(e.task_id, w.task_id))
    from expected as e
    full join working as w on w.task_id = e.task_id and w.is_running = e.is_running
    where e.task_id is null or w.task_id is null or e.lease_no <> w.lease_no
       or e.at <> w.at and not (w.is_running and internal.was_renewed_until(w.task_id, w.lease_no, w.at))
       or (not e.is_running and (e.queue_id <> w.queue_id or e.priority <> w.priority or e.phase is distinct from w.phase
                                 or e.crash_count is distinct from w.crash_count or e.retry_count is distinct from w.retry_count))
    union all
    select 'facts_of_unknown_task', format('task %s', w.task_id)
    from working as w
    where (select true from queues.task as t where t.task_id = w.task_id limit 1) is null
    union all
    -- A late result comes from a lease that had ended.
    select 'late_result_of_ended_lease', format('task %s lease %s', r.task_id, r.lease_no)
    from queues.running as r
    where (select true from queues.late_result as l where l.task_id = r.task_id and l.lease_no = r.lease_no limit 1);
end
$$;
comment on function internal.check_working_set(bigint) is 'Violations of the working set.';
