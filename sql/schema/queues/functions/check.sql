-- queues.check(_quiesced)
-- The invariants of facts and working set, each as one query.  No rows: healthy.
-- _quiesced: also those that hold only when all work was stopped and drained.
create or replace function queues.check(_quiesced boolean default false)
    returns table (invariant text, violations bigint, sample text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
    with bad(invariant, sample) as (
        -- A task is in exactly one of ready, running, completed.
        select 'one_place', format('task %s is in %s places', p.task_id, p.places)
        from (select t.task_id, (select count(*) from queues.task_completed as c where c.task_id = t.task_id)
                     + coalesce(w.ready, 0) + coalesce(w.running, 0) as places
              from queues.task as t
              left join (select x.task_id, sum(x.ready)::bigint as ready, sum(x.running)::bigint as running
                         from (select r.task_id, 1 as ready, 0 as running from queues.ready as r
                               union all select r.task_id, 0, 1 from queues.running as r) as x
                         group by x.task_id) as w on w.task_id = t.task_id) as p
        where p.places <> 1
        union all
        -- The working rows are those that the facts ask for, with the same key and number.
        select 'ready_follows_facts', format('task %s', coalesce(e.task_id, r.task_id))
        from internal.expected_ready as e
        full join queues.ready as r on r.task_id = e.task_id
        where e.task_id is null or r.task_id is null or e.queue_id <> r.queue_id or e.priority <> r.priority
           or e.available_at <> r.available_at or e.lease_no <> r.lease_no or e.phase is distinct from r.phase
           or e.crash_count is distinct from r.crash_count or e.retry_count is distinct from r.retry_count
        union all
        select 'running_follows_facts', format('task %s', coalesce(e.task_id, r.task_id))
        from internal.expected_running as e
        full join queues.running as r on r.task_id = e.task_id
        where e.task_id is null or r.task_id is null or e.lease_no <> r.lease_no or e.expires_at <> r.expires_at
        union all
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
        where l.lease_no > 1 and (e.task_id is null or e.ended_at > l.leased_at)
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
        -- A completion carries the newest lease, and that lease has no other end.
        select 'completion_of_newest_lease', format('task %s', c.task_id)
        from queues.task_completed as c
        where c.lease_no is not null
          and (c.lease_no <> (select max(l.lease_no) from queues.task_lease as l where l.task_id = c.task_id)
               or (c.outcome not in ('cancelled', 'quarantined', 'superseded')
                   and exists (select 1 from queues.task_lease_ended as e where e.task_id = c.task_id and e.lease_no = c.lease_no)))
        union all
        select 'no_lease_after_completion', format('task %s', l.task_id)
        from queues.task_lease as l join queues.task_completed as c on c.task_id = l.task_id
        where l.leased_at > c.completed_at
        union all
        -- Deaths are contained.
        select 'crashes_are_bounded', format('task %s', e.task_id)
        from queues.task_lease_ended as e
        join queues.task as t on t.task_id = e.task_id
        join queues.registered_task_type as y on y.task_type = t.task_type
        where e.how in ('expired', 'abandoned')
        group by e.task_id, t.max_crashes, y.max_crashes
        having count(*) > coalesce(t.max_crashes, y.max_crashes)
        union all
        -- Dispatches belong to leases; one key per task; never twice when in doubt fails, but for
        -- those that certainly were not sent.
        select 'dispatch_within_lease', format('task %s lease %s', d.task_id, d.lease_no)
        from queues.task_dispatched as d
        left join queues.task_lease as l on l.task_id = d.task_id and l.lease_no = d.lease_no
        where l.task_id is null or d.dispatched_at < l.leased_at
        union all
        select 'one_key_per_task', format('task %s', d.task_id)
        from queues.task_dispatched as d group by d.task_id having count(distinct d.idempotency_key) > 1
        union all
        select 'dispatched_once', format('task %s', d.task_id)
        from queues.task_dispatched as d
        join queues.task as t on t.task_id = d.task_id
        join queues.registered_task_type as y on y.task_type = t.task_type
        where coalesce(t.on_in_doubt, y.on_in_doubt) = 'fail'
          and not exists (select 1 from queues.task_lease_ended as e
                          where e.task_id = d.task_id and e.lease_no = d.lease_no and e.how in ('retry', 'released'))
        group by d.task_id having count(*) > 1
        union all
        -- A late result comes from a lease that had ended.
        select 'late_result_of_ended_lease', format('task %s lease %s', l.task_id, l.lease_no)
        from queues.late_result as l
        where exists (select 1 from queues.running as r where r.task_id = l.task_id and r.lease_no = l.lease_no)
        union all
        -- Facts belong to tasks.
        select 'facts_of_unknown_task', format('task %s', x.task_id)
        from (select l.task_id from queues.task_lease as l union select c.task_id from queues.task_completed as c
              union select e.task_id from queues.task_lease_ended as e union select r.task_id from queues.ready as r
              union select r.task_id from queues.running as r) as x
        where not exists (select 1 from queues.task as t where t.task_id = x.task_id)
        union all
        -- Runs of a process are numbered 1..n; it has an open run or an end fact.
        select 'run_numbers', format('process %s', r.process_id)
        from queues.process_run as r group by r.process_id having count(*) <> max(r.run_no) or min(r.run_no) <> 1
        union all
        select 'process_open_or_ended', format('process %s', p.process_id)
        from queues.process as p
        where not internal.is_live(p.process_id)
          and exists (select 1 from queues.task as t where t.process_id = p.process_id and t.is_tick)
          and not exists (select 1 from queues.process_ended as e where e.process_id = p.process_id
                          and e.run_no = coalesce((select max(r.run_no) from queues.process_run as r
                                                   where r.process_id = p.process_id), 0))
        union all
        -- A parent waits only while a child is open; of serial children one at a time may run.
        select 'parent_waits_for_children', format('task %s', r.task_id)
        from queues.ready as r
        where r.phase = 'w' and not exists (select 1 from queues.ready as k where k.parent_id = r.task_id)
          and not exists (select 1 from queues.running as k where k.parent_id = r.task_id)
        union all
        select 'one_serial_child', format('children of task %s', p.task_id)
        from worker.task_parent as p
        join queues.ready as r on r.parent_id = p.task_id and r.phase = 'b'
        where p.child_mode = 'serial' and exists (select 1 from queues.ready as w where w.task_id = p.task_id and w.phase = 'w')
          and (select count(*) from queues.ready as k where k.parent_id = p.task_id and k.phase is distinct from 'b')
            + (select count(*) from queues.running as k where k.parent_id = p.task_id) <> 1
        union all
        -- A parent that failed left nothing behind that had not begun.
        select 'failed_parent_cancels', format('task %s', r.task_id)
        from queues.ready as r join queues.task_completed as c on c.task_id = r.parent_id
        where r.lease_no = 0 and c.outcome in ('failed', 'cancelled', 'quarantined')
        union all
        select 'depth_of_child', format('task %s', k.task_id)
        from queues.task as k join queues.task as t on t.task_id = k.parent_id
        where t.task_type = 'command' and coalesce(k.depth, 0) <> coalesce(t.depth, 0) + 1
        union all
        -- After draining: nothing due is left, nothing is leased.
        select 'drained', format('task %s is still due', r.task_id)
        from queues.ready as r where _quiesced and r.available_at <= clock_timestamp()
        union all
        select 'drained', format('a merge into task %s', m.task_id) from queues.merging as m where _quiesced
        union all
        select 'drained', format('task %s is still leased', r.task_id)
        from queues.running as r where _quiesced
    )
    select b.invariant, count(*), min(b.sample) from bad as b group by b.invariant order by b.invariant;
end
$$;
comment on function queues.check(boolean) is 'Violated invariants of facts and working set; no rows: healthy.';
