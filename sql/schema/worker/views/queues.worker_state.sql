-- queues.worker_state
-- Worker programs, the tasks that they hold, and their last sign of life.
create or replace view queues.worker_state as
select s.worker_id, s.worker_name, s.version, s.host, s.single_instance, s.started_at, e.stopped_at, e.reason as stop_reason,
       w.seen_at, w.queues, w.types,
       case when e.stopped_at is not null then 'stopped'
            when coalesce(w.seen_at, s.started_at) > clock_timestamp() - interval '60 seconds'
                 -- A sign from the future was given before the server's clock was set back.
                 and coalesce(w.seen_at, s.started_at) < clock_timestamp() + interval '60 seconds' then 'live'
            else 'silent' end as state,
       (select count(*) from queues.running as r join queues.holder as h on h.holder_id = r.holder_id
        where h.worker_id = s.worker_id) as tasks_held
from queues.worker_started as s
left join queues.worker_stopped as e on e.worker_id = s.worker_id
left join queues.worker_seen as w on w.worker_id = s.worker_id
where s.worker_id <> '00000000-0000-4000-8000-000000000001';
comment on view queues.worker_state is 'Worker programs and the tasks that they hold.';
