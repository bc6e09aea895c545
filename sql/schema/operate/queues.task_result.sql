-- queues.task_result(_task_id)
-- State and result of one task, without its payload; for a polling endpoint.  Of work that a policy retries, the newest attempt
-- counts.
create or replace function queues.task_result(_task_id bigint) returns jsonb
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_strip_nulls(jsonb_build_object('state', case when c.task_id is not null then 'completed'
            -- state_of has a newer snapshot than this statement: an end that we do not see yet does not count.
            else coalesce(nullif(internal.state_of(t.task_id), 'completed'), 'running') end, 'outcome', c.outcome,
        'attempt', a.attempt, 'max_attempts', a.max_attempts,
        'status', coalesce(c.status, c.outcome), 'completed_at', c.completed_at,
        'error', (select e.error_message from queues.error as e where e.task_id = t.task_id order by e.error_id desc limit 1)))
        || case when c.result is not null then jsonb_build_object('result', c.result) else '{}' end
    from queues.task as t
    left join queues.task_completed as c on c.task_id = t.task_id
    left join queues.task_attempt as a on a.task_id = t.task_id
    where t.task_id = internal.last_attempt(_task_id)
$$;
comment on function queues.task_result(bigint) is 'State and result of one task.';
