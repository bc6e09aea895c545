-- worker.has_failed_siblings(p_task_id)
-- Has another child of this task's parent failed?  Of a child that was retried, the last attempt counts.
create or replace function worker.has_failed_siblings(p_task_id bigint) returns boolean
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select 1 from queues.task as t
        join queues.task as s on s.parent_id = t.parent_id and s.task_id <> internal.last_attempt(t.task_id)
        join queues.task_completed as c on c.task_id = s.task_id and c.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt')
        where t.task_id = p_task_id and internal.last_attempt(s.task_id) = s.task_id)
$$;
comment on function worker.has_failed_siblings(bigint) is 'Whether a sibling of a task has failed.';
