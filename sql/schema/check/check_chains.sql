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
    from queues.task_attempt as n
    left join queues.task as t on t.task_id = n.task_id
    left join queues.task_attempt as b on b.chain_id = n.chain_id and b.attempt = n.attempt - 1
    where t.task_id is null or n.attempt > n.max_attempts
       or case when n.attempt = 1 then n.chain_id <> n.task_id else b.task_id is null or t.retry_of is distinct from b.task_id end
    union all
    -- Only an attempt that failed has a successor.
    select 'only_failures_are_retried', format('task %s', n.task_id)
    from queues.task_attempt as n
    join queues.task_attempt as b on b.chain_id = n.chain_id and b.attempt = n.attempt - 1
    left join queues.task_completed as c on c.task_id = b.task_id
    where c.task_id is null or c.outcome not in ('failed', 'non_success');
end
$$;
comment on function internal.check_chains() is 'Violations of chains of attempts.';
