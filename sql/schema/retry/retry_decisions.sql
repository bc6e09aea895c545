-- internal.retry_decisions(_ends)
-- Decides for each end of an attempt whether the work is tried again.  max_attempts is null if no policy holds for the task.  The
-- policy that the task names wins over the one of its function or command, and that over the one of its type, field by field.  A task
-- of a supervised process has no default policy: its supervisor decides.  A child whose parent has ended is not retried.
create or replace function internal.retry_decisions(_ends internal.attempt_end[])
    returns table (task_id bigint, parent_id bigint, payload jsonb, attempt integer, max_attempts integer, backoff jsonb, retry_after interval, is_last boolean)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
begin
    return query
    select e.task_id, t.parent_id, p.payload, coalesce(a.attempt, 1)::integer, d.max_attempts::integer, d.backoff, e.retry_after,
           coalesce(coalesce(a.attempt, 1) >= d.max_attempts, true)
           or coalesce(t.is_supervisor_run, false)
           or e.outcome not in ('failed', 'non_success')
           or e.status = 'validation_failed'
           or coalesce(e.is_final, false)
           or coalesce(e.status = any(coalesce(f.final_statuses, y.final_statuses)), false)
           or (select true from queues.task_cancel_requested as c where c.task_id = e.task_id limit 1) is true
           or (select true from queues.task_completed as c where c.task_id = t.parent_id limit 1) is true
    from unnest(_ends) as e
    cross join lateral (select x.* from queues.task as x where x.task_id = e.task_id offset 0) as t
    left join lateral (select x.* from queues.task_attempt as x where x.task_id = e.task_id offset 0) as a on true
    cross join lateral (select x.variant_key from queues.registered_task_type as x where x.task_type = t.task_type offset 0) as k
    -- After a merge, a lease has a payload of its own.
    cross join lateral (select coalesce(
        (select m.payload from queues.task_folded as m where m.task_id = e.task_id order by m.lease_no desc limit 1),
        (select l.payload from queues.task_lease as l where l.task_id = e.task_id and l.lease_no = e.lease_no limit 1),
        t.payload) as payload offset 0) as p
    left join lateral (select x.* from queues.retry_policy as x
                       where x.scope = coalesce(k.variant_key, 'function')
                         and x.name = p.payload->>coalesce(k.variant_key, 'db_function') offset 0) as f on true
    left join lateral (select x.* from queues.retry_policy as x where x.scope = 'type' and x.name = t.task_type offset 0) as y on true
    cross join lateral (select
        coalesce(a.max_attempts, case when t.process_id is null then coalesce(f.max_attempts, y.max_attempts) end) as max_attempts,
        coalesce(a.backoff, case when t.process_id is null then coalesce(f.backoff, y.backoff) end) as backoff offset 0) as d;
end
$$;
comment on function internal.retry_decisions(internal.attempt_end[]) is 'Whether failed attempts are retried, and by which policy.';
