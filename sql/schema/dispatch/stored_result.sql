-- internal.stored_result(_task_id)
-- The known outcome of a task whose handler is still to run: kept by an earlier lease, or brought late by a superseded one.
-- final_class: validation or final if the error of that lease excludes a retry, otherwise null.
create or replace function internal.stored_result(_task_id bigint, out outcome text, out result jsonb, out error_message text,
        out final_class text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    select s.outcome, s.result, s.error_message,
           (select case x.error_class when 'final' then 'final' else 'validation' end from queues.error as x
            where x.task_id = _task_id and x.lease_no = s.lease_no and x.sqlstate = 'QU011' limit 1)
    into outcome, result, error_message, final_class
    from (select e.outcome, e.result, e.error_message, e.lease_no, 1 as rank
          from queues.task_lease_ended as e where e.task_id = _task_id and e.outcome is not null
          union all
          select l.outcome, l.result, l.error_message, l.lease_no, 2
          from queues.late_result as l where l.task_id = _task_id and l.outcome = 'succeeded') as s
    order by (s.outcome = 'succeeded') desc, s.rank, s.lease_no desc
    limit 1;
end
$$;
comment on function internal.stored_result(bigint) is 'Outcome that an earlier lease of a task brought.';
