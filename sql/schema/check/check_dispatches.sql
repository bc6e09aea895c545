-- internal.check_dispatches()
-- Invariants of calls, over all history.  Each call belongs to a lease.  All attempts of a task have one idempotency key.  If a call in doubt
-- fails its task, no call is made twice, except after a call that was certainly not sent.
-- Called by  queues.check_part
create or replace function internal.check_dispatches() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    select 'dispatch_within_lease', format('task %s lease %s', d.task_id, d.lease_no)
    from queues.task_dispatched as d
    where not exists (select 1 from queues.task_lease as l where l.task_id = d.task_id and l.lease_no = d.lease_no)
    union all
    select 'one_key_per_task', format('task %s', d.task_id)
    from queues.task_dispatched as d group by d.task_id having min(d.idempotency_key) <> max(d.idempotency_key)
    union all
    select 'one_key_per_chain', format('task %s', a.chain_id)
    from queues.task_dispatched as d join queues.task_attempt as a on a.task_id = d.task_id
    group by a.chain_id having min(d.idempotency_key) <> max(d.idempotency_key)
    union all
    select 'dispatched_once', format('task %s', d.task_id)
    from queues.task_dispatched as d
    join queues.task as t on t.task_id = d.task_id
    join queues.registered_task_type as y on y.task_type = t.task_type
    where coalesce(t.on_in_doubt, y.on_in_doubt) = 'fail'
      and not exists (select 1 from queues.task_lease_ended as e
                      where e.task_id = d.task_id and e.lease_no = d.lease_no and e.how in ('retry', 'released'))
    group by d.task_id having count(*) > 1;
end
$$;
comment on function internal.check_dispatches() is 'Violations of calls.';
