-- queues.lease_outcome
-- Every lease and its end: by completing its task, or otherwise.
create or replace view queues.lease_outcome as
select l.task_id, l.lease_no, l.leased_at, l.expires_at, h.worker_id, h.leased_by, h.backend_pid,
       coalesce(e.ended_at, c.completed_at) as ended_at,
       coalesce(e.how, case when c.task_id is not null then 'completed' end) as how,
       coalesce(e.outcome, c.outcome) as outcome, e.retry_at,
       case when pg_has_role('queues_operator', 'member') then e.error_message end as error_message
from queues.task_lease as l
left join queues.holder as h on h.holder_id = l.holder_id
left join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no
left join queues.task_completed as c on c.task_id = l.task_id and c.lease_no = l.lease_no;
comment on view queues.lease_outcome is 'Leases and the end of each.';
