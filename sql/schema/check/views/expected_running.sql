-- internal.expected_running
-- The running rows that the facts imply.
create or replace view internal.expected_running as
select o.task_id, o.lease_no, o.holder_id, o.queue_id, o.priority, o.leased_at,
       greatest(o.expires_at, n.expires_at) as expires_at,
       o.type_id, o.is_limited,
       case when (select true from queues.task_lease_ended as x where x.task_id = o.task_id and x.outcome is not null limit 1)
            or o.is_handled then 'h'::"char" end as phase,
       o.crash_count, o.retry_count, o.handler_failures, o.max_crashes, o.is_supervisor_run, o.process_id, o.parent_id, o.timeout,
       coalesce(o.folded_payload, o.leased_payload) as payload,
       coalesce(o.destination,
                internal.call_destination(o.adapter, coalesce(o.folded_payload, o.leased_payload, o.first_payload))) as destination,
       o.is_retry, case when n.expires_at >= o.expires_at then n.renewed_at end as renewed_at
from internal.open_task as o
left join lateral (select r.renewed_at, r.expires_at from queues.task_lease_renewed as r
                   where r.task_id = o.task_id and r.lease_no = o.lease_no order by r.expires_at desc, r.renewed_at limit 1) as n on true
where o.lease_no > 0 and o.how is null;
comment on view internal.expected_running is 'The running rows that the facts imply.';
