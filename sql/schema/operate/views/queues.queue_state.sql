-- queues.queue_state
-- Each queue with the number of waiting and running tasks; it reads only the working set, never history.
create or replace view queues.queue_state as
select q.queue, coalesce(r.ready, 0) as ready, coalesce(r.scheduled, 0) as scheduled, coalesce(n.running, 0) as running,
       coalesce(r.handler_pending, 0) as handler_pending, coalesce(r.waiting, 0) as waiting, r.oldest_ready,
       coalesce(q.paused_until > clock_timestamp(), false) as paused, q.paused_until, q.max_running, q.top_level_limit,
       q.description
from queues.queue as q
left join (select x.queue_id,
                  count(*) filter (where x.phase is null and x.available_at <= now()) as ready,
                  count(*) filter (where x.phase is null and x.available_at > now()) as scheduled,
                  count(*) filter (where x.phase = 'h') as handler_pending,
                  count(*) filter (where x.phase in ('w', 'b')) as waiting,
                  min(x.available_at) filter (where x.phase is null and x.available_at <= now()) as oldest_ready
           from queues.ready as x group by x.queue_id) as r on r.queue_id = q.queue_id
left join (select x.queue_id, count(*) as running from queues.running as x group by x.queue_id) as n
       on n.queue_id = q.queue_id;
comment on view queues.queue_state is 'Queues with the number of waiting and running tasks.';
