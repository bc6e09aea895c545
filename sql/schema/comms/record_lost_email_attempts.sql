-- comms.record_lost_email_attempts(_send_email_task_id)
-- Effect: attempts without an outcome whose task has ended, or is gone, are recorded as failed;
-- returns how many.  One that was dispatched may have been sent: it is in doubt.  Locks an attempt
-- before it looks at its outcomes, as the handlers do.
create or replace function comms.record_lost_email_attempts(_send_email_task_id bigint) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _attempt record;
    _count integer := 0;
begin
    for _attempt in
        select a.send_email_attempt_id, a.task_id from comms.send_email_attempt as a
        where a.send_email_task_id = _send_email_task_id
        order by a.send_email_attempt_id for no key update
    loop
        insert into comms.send_email_attempt_failed (send_email_attempt_id, error_message, created_at, in_doubt, error_class)
        select _attempt.send_email_attempt_id,
               format(case when c.task_id is null then 'attempt lost: task %s is gone' else 'attempt lost: task %s ended as %s' end,
                      _attempt.task_id, c.outcome),
               queues.clock(), d.in_doubt, case when d.in_doubt then 'in_doubt' end
        from (select (select t.task_id from queues.task as t where t.task_id = _attempt.task_id)) as t(task_id)
        left join queues.task_completed as c on c.task_id = _attempt.task_id
        cross join lateral (select t.task_id is null or exists (
            select 1 from queues.task_dispatched as d where d.task_id = _attempt.task_id)) as d(in_doubt)
        where (t.task_id is null or c.task_id is not null)
          and not exists (select 1 from comms.send_email_attempt_succeeded as s
                          where s.send_email_attempt_id = _attempt.send_email_attempt_id)
        on conflict (send_email_attempt_id) do nothing;
        if found then
            _count := _count + 1;
        end if;
    end loop;
    return _count;
end
$$;
comment on function comms.record_lost_email_attempts(bigint) is 'Effect: attempts whose task ended without an outcome have failed.';
