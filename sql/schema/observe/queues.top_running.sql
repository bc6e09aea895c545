-- queues.top_running()
-- Tasks that are leased, for a screen: the 50 that were leased first, among at most 5,000.  `name` is the function or command of
-- database work.  It costs the same whatever history has.
create or replace function queues.top_running()
    returns table (task_id bigint, task_type text, name text, queue text, worker_name text, running_s double precision,
        lease_no integer)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
begin
    return query
        select l.task_id, y.task_type::text,
               left(case when y.kind in ('run', 'prepared') then t.payload->>coalesce(y.variant_key, 'db_function') end, 128),
               q.queue, coalesce(w.worker_name, o.leased_by::text), extract(epoch from _now - l.leased_at)::double precision, l.lease_no
        from (select f.task_id, f.queue_id, f.type_id, f.holder_id, f.leased_at, f.lease_no
              from (select r.task_id, r.queue_id, r.type_id, r.holder_id, r.leased_at, r.lease_no from queues.running as r limit 5000) as f
              order by f.leased_at, f.task_id limit 50) as l
        join queues.task as t on t.task_id = l.task_id
        join queues.registered_task_type as y on y.type_id = l.type_id
        join queues.queue as q on q.queue_id = l.queue_id
        left join queues.holder as o on o.holder_id = l.holder_id
        left join queues.worker_started as w on w.worker_id = o.worker_id
        order by l.leased_at, l.task_id;
end
$$;
comment on function queues.top_running() is 'Tasks that have run longest, for a screen.';
