-- internal.open_task
-- Every open task as the facts describe it: its last lease, whether that lease has ended, and the counts.  The working set must
-- agree with it.
create or replace view internal.open_task as
select t.task_id, t.scheduled_at, t.max_crashes, t.is_supervisor_run, t.process_id, t.parent_id, t.timeout, t.payload as first_payload,
       q.queue_id, case when q.max_running is not null or q.top_level_limit is not null then true end as is_limited,
       y.type_id, coalesce(l.lease_no, 0) as lease_no, l.holder_id, l.leased_at, l.expires_at, l.payload as leased_payload,
       case when coalesce(l.lease_no, 0) = 0 then t.dedup_key end as dedup_key,
       e.how, e.retry_at, e.outcome,
       nullif(n.crashes, 0)::smallint as crash_count, nullif(n.retries, 0)::smallint as retry_count,
       nullif(n.handler_failures, 0)::smallint as handler_failures,
       coalesce(c.priority, t.priority) as priority,
       case when c.lease_no >= coalesce(l.lease_no, 0) then c.available_at end as changed_at,
       m.merged, c.reason as changed_for, d.payload as folded_payload, h.task_id is not null as is_handled,
       coalesce(p.child_mode = 'serial', false) as is_serial,
       case when t.task_type = 'job_http' then (select internal.job_host(j.url) from pgqueue.job as j
                                                where j.job_id = (t.payload->>'job_id')::bigint) end as destination,
       case when t.task_type = 'job_http' then (select true from pgqueue.job_run as k
                                                where k.job_id = (t.payload->>'job_id')::bigint
                                                  and k.job_run = (t.payload->>'job_run')::integer and k.retry_count > 0) end as is_retry,
       y.adapter
from queues.task as t
join queues.queue as q on q.queue = t.queue
join queues.registered_task_type as y on y.task_type = t.task_type
left join lateral (select x.* from queues.task_lease as x where x.task_id = t.task_id
                   order by x.lease_no desc limit 1) as l on true
left join queues.task_lease_ended as e on e.task_id = t.task_id and e.lease_no = l.lease_no
left join lateral (select count(*) filter (where x.how in ('expired', 'abandoned')) as crashes,
                          count(*) filter (where x.how = 'retry') as retries,
                          count(*) filter (where x.how = 'handler_failed') as handler_failures
                   from queues.task_lease_ended as x where x.task_id = t.task_id) as n on true
left join lateral (select x.* from queues.task_changed as x where x.task_id = t.task_id
                   order by x.change_no desc limit 1) as c on true
left join lateral (select true as merged from queues.task_changed as x
                   where x.task_id = t.task_id and x.reason = 'merge' limit 1) as m on true
left join lateral (select x.payload from queues.task_folded as x where x.task_id = t.task_id
                   order by x.lease_no desc limit 1) as d on true
left join worker.handler_done as h on h.task_id = t.task_id
left join worker.task_parent as p on p.task_id = t.parent_id
-- One lookup per task, before anything else is read: an anti-join might be planned after all other joins.
where (select true from queues.task_completed as d where d.task_id = t.task_id limit 1) is null;
comment on view internal.open_task is 'Open tasks as the facts describe them.';
