-- queues.held_lease(_task_id)
-- The newest lease number of a task that was dequeued by this login, or null.  Call it in the transaction of the dequeue.
create or replace function queues.held_lease(_task_id bigint) returns integer
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select max(l.lease_no) from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
    where l.task_id = _task_id and h.worker_id is null and h.leased_by = session_user
$$;
comment on function queues.held_lease(bigint) is 'Newest lease number of a task.';
