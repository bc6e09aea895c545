-- files.record_lost_file_deletion_attempts(_file_deletion_task_id)
-- Effect: records attempts without an outcome whose task has ended, or was removed, as failed; returns their number.  A dispatched
-- attempt is in doubt: the file may be gone.  It locks an attempt before it reads its outcomes, as the handlers do.
create or replace function files.record_lost_file_deletion_attempts(_file_deletion_task_id bigint) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
    _attempt record;
    _count integer := 0;
begin
    for _attempt in
        select a.file_deletion_attempt_id, a.task_id from files.file_deletion_attempt as a
        where a.file_deletion_task_id = _file_deletion_task_id
        order by a.file_deletion_attempt_id for no key update
    loop
        insert into files.file_deletion_attempt_failed (file_deletion_attempt_id, error_message, created_at, in_doubt, error_class)
        select _attempt.file_deletion_attempt_id,
               format(case when c.task_id is null then 'attempt lost: task %s is gone' else 'attempt lost: task %s ended as %s' end,
                      _attempt.task_id, c.outcome),
               queues.clock(), d.in_doubt, case when d.in_doubt then 'in_doubt' end
        from (select (select t.task_id from queues.task as t where t.task_id = _attempt.task_id)) as t(task_id)
        left join queues.task_completed as c on c.task_id = _attempt.task_id
        cross join lateral (select t.task_id is null or exists (
            select 1 from queues.task_dispatched as d where d.task_id = _attempt.task_id)) as d(in_doubt)
        where (t.task_id is null or c.task_id is not null)
          and not exists (select 1 from files.file_deletion_attempt_succeeded as s
                          where s.file_deletion_attempt_id = _attempt.file_deletion_attempt_id)
        on conflict (file_deletion_attempt_id) do nothing;
        if found then
            _count := _count + 1;
        end if;
    end loop;
    return _count;
end
$$;
comment on function files.record_lost_file_deletion_attempts(bigint) is 'Effect: records attempts whose task ended without an outcome as failed.';
