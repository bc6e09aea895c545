-- queues.process_state
-- Each supervised process, with the facts and the decision of its last run.
create or replace view queues.process_state as
select p.process_id, p.supervisor, p.ids, p.parent_process_id, p.created_at,
       case when o.next_run_at is not null or o.is_running then 'live' else 'ended' end as state,
       o.next_run_at, coalesce(l.run_no, 0) as runs, l.idle_runs, l.quiet_runs, l.failures, l.ran_at as last_run_at,
       l.status as last_status, case when pg_has_role('queues_operator', 'member') then l.facts end as last_facts,
       case when o.next_run_at is null and not o.is_running then e.ended_at end as ended_at,
       case when o.next_run_at is null and not o.is_running then e.reason end as end_reason,
       case when o.next_run_at is null and not o.is_running and pg_has_role('queues_operator', 'member') then e.message end as end_message
from queues.process as p
left join lateral (select r.* from queues.process_run as r where r.process_id = p.process_id
                   order by r.run_no desc limit 1) as l on true
left join lateral (select x.* from queues.process_ended as x where x.process_id = p.process_id
                   order by x.run_no desc, x.ended_at desc limit 1) as e on true
cross join lateral (select (select min(r.available_at) from queues.ready as r where r.process_id = p.process_id and r.is_supervisor_run) as next_run_at,
                           exists (select 1 from queues.running as r where r.process_id = p.process_id and r.is_supervisor_run) as is_running) as o;
comment on view queues.process_state is 'Supervised processes, with the facts and the decision of the last run.';
