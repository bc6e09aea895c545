-- internal.process_qualifies(_process_id, _done_before, _failed_before)
-- May the tasks of this process be pruned?  They may if the process has ended and all its tasks are old enough.
create or replace function internal.process_qualifies(_process_id bigint, _done_before timestamptz,
        _failed_before timestamptz) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select not exists (
        select 1 from queues.task as t
        left join queues.task_completed as c on c.task_id = t.task_id
        where t.process_id = _process_id
          and (c.task_id is null or c.completed_at >= case when c.outcome in ('succeeded', 'non_success', 'superseded')
                                                           then _done_before else _failed_before end))
$$;
comment on function internal.process_qualifies(bigint, timestamptz, timestamptz) is 'Whether a process is old enough to be pruned.';
