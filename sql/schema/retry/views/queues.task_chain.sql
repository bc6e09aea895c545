-- queues.task_chain
-- Work with a policy of retries, attempt by attempt.  chain_id is the first attempt.
create or replace view queues.task_chain as
select a.chain_id, a.attempt::integer as attempt, a.max_attempts, t.task_id, t.task_type, t.queue,
       case when c.task_id is not null then 'completed'
            when exists (select 1 from queues.running as r where r.task_id = t.task_id) then 'running'
            when t.scheduled_at > clock_timestamp() then 'scheduled' else 'ready' end as state,
       c.outcome, coalesce(c.status, c.outcome) as status, t.scheduled_at, c.started_at, c.completed_at,
       (select case when pg_has_role('queues_operator', 'member') then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
        from queues.error as e where e.task_id = t.task_id order by e.error_id desc limit 1) as last_error
from queues.task_attempt as a
join queues.task as t on t.task_id = a.task_id
left join queues.task_completed as c on c.task_id = t.task_id;
comment on view queues.task_chain is 'Work with a policy of retries, attempt by attempt; texts of errors only for operators.';
