-- queues.dequeue_next_available_task(_queues, _types, _lease)
-- The documented single-row claim, for any SQL client.  It returns the task as a row, or a row of nulls if nothing is due.
-- Tables, order and guarantees are those of queues.claim.
create or replace function queues.dequeue_next_available_task(_queues text[] default null, _types text[] default null,
        _lease interval default '5 minutes') returns queues.task
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task queues.task;
    _claimed bigint;
begin
    select c.task_id into _claimed
    from internal.claim_for(internal.this_holder(null), _queues, _types, 1, _lease, null, null, true, true) as c;
    if _claimed is not null then
        _task := internal.leased_task(_claimed);
    end if;
    return _task;
end
$$;
comment on function queues.dequeue_next_available_task(text[], text[], interval) is
    'Leases the next due task; a row of nulls when there is none.';

-- queues.dequeue_available_task()
-- Older name of the same function.
create or replace function queues.dequeue_available_task() returns queues.task
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select * from queues.dequeue_next_available_task()
$$;
comment on function queues.dequeue_available_task() is 'Older name of queues.dequeue_next_available_task.';
