-- internal.ready_key(_task_id)
-- The claim key of the ready row of a waiting task.  It follows from the facts: the last change, if no lease came after it,
-- otherwise the end of the last lease, otherwise the schedule.  A serial child is born blocked, and unblocking it is a change.
create or replace function internal.ready_key(_task_id bigint,
        out queue_id integer, out priority bigint, out available_at timestamptz)
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select q.queue_id, coalesce(p.priority, t.priority),
           case when c.lease_no >= coalesce(l.lease_no, 0) then c.available_at
                when l.lease_no is null and t.parent_id is not null and exists (
                     select 1 from worker.task_parent as f where f.task_id = t.parent_id and f.child_mode = 'serial') then 'infinity'
                else coalesce(e.retry_at, t.scheduled_at) end
    from queues.task as t
    join queues.queue as q on q.queue = t.queue
    left join lateral (select x.lease_no from queues.task_lease as x where x.task_id = t.task_id
                       order by x.lease_no desc limit 1) as l on true
    left join queues.task_lease_ended as e on e.task_id = t.task_id and e.lease_no = l.lease_no
    left join lateral (select x.available_at, x.lease_no from queues.task_changed as x where x.task_id = t.task_id
                       order by x.change_no desc limit 1) as c on true
    left join lateral (select x.priority from queues.task_changed as x where x.task_id = t.task_id
                       order by x.change_no desc limit 1) as p on true
    where t.task_id = _task_id
$$;
comment on function internal.ready_key(bigint) is 'Claim key of a waiting task, from its facts.';
