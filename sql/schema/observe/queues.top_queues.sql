-- queues.top_queues()
-- One row per queue for a screen that is refreshed every few seconds (`reeve top`).  It reads the working set and
-- queues.throughput, never history.  Of a long queue it reads the first tasks only, in the order of claims: at most 2,000, so the
-- function costs the same with a million waiting tasks.
--   waiting     tasks that are due, among those that were read
--   scheduled   tasks that are not due yet, or wait for something else, among those that were read
--   is_more     the queue has more tasks than were read
--   oldest_s    how long the oldest due task has waited, in seconds; null: none is due, or the queue is paused
--   done, failed  ends in a minute, as a mean of the last five minutes that are counted; counted_to is the end of these minutes
create or replace function queues.top_queues()
    returns table (queue text, waiting bigint, scheduled bigint, is_more boolean, running bigint, oldest_s double precision,
        paused boolean, paused_until timestamptz, max_running integer, done double precision, failed double precision,
        counted_to timestamptz)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
    _most constant integer := 2000;
    _now constant timestamptz := clock_timestamp();
    _to constant timestamptz := (select s.rolled_until from internal.roll_up_state as s);
    _queue record;
begin
    for _queue in
        select q.queue_id, q.queue as name, q.paused_until as until, q.max_running as most, n.running as busy, t.done, t.failed
        from queues.queue as q
        left join (select r.queue_id, count(*) as running from queues.running as r group by r.queue_id) as n on n.queue_id = q.queue_id
        left join (select f.queue, sum(f.succeeded + f.failed + f.other) / 5.0 as done, sum(f.failed) / 5.0 as failed
                   from queues.throughput as f where f.minute >= _to - interval '5 minutes' and f.minute < _to
                   group by f.queue) as t on t.queue = q.queue
        order by q.queue
    loop
        queue := _queue.name;
        running := coalesce(_queue.busy, 0);
        paused := coalesce(_queue.until > _now, false);
        paused_until := case when paused then _queue.until end;
        max_running := _queue.most;
        done := coalesce(_queue.done, 0);
        failed := coalesce(_queue.failed, 0);
        counted_to := _to;
        select count(*) filter (where x.phase is null and x.available_at <= _now),
               count(*) filter (where x.phase is not null or x.available_at > _now), count(*) = _most
        into waiting, scheduled, is_more
        from (select r.phase, r.available_at from queues.ready as r
              where r.queue_id = _queue.queue_id
              order by r.priority, r.available_at, r.task_id limit _most) as x;
        oldest_s := case when waiting > 0 or is_more then extract(epoch from queues.overdue(array[queue])) end;
        return next;
    end loop;
end
$$;
comment on function queues.top_queues() is 'Queues with bounded counts and rates, for a screen.';
