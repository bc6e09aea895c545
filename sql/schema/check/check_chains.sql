-- internal.check_chains()
-- Invariants of the attempts of one piece of work, over all history.
-- Called by  queues.check_part
create or replace function internal.check_chains() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    -- Attempts are numbered without gaps, each repeats the one before it, and none is over the limit.
    select 'attempts_follow_each_other', format('task %s', n.task_id)
    from queues.task as n
    left join queues.task as t on t.task_id = n.retry_of
    where n.chain_id is not null
      and (t.task_id is null or coalesce(t.chain_id, t.task_id) <> n.chain_id or coalesce(t.attempt, 1) + 1 <> n.attempt
           or n.attempt > n.max_attempts)
    union all
    -- Only an attempt that failed has a successor.
    select 'only_failures_are_retried', format('task %s', n.task_id)
    from queues.task as n
    left join queues.task_completed as c on c.task_id = n.retry_of
    where n.chain_id is not null and (c.task_id is null or c.outcome not in ('failed', 'non_success'));
end
$$;
comment on function internal.check_chains() is 'Violations of chains of attempts.';
