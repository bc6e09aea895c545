-- internal.repeat_problems(_task_ids, _once)
-- Why some of these tasks cannot be repeated: one row for each that cannot.  _once: a task that was repeated already is one of them.
create or replace function internal.repeat_problems(_task_ids bigint[], _once boolean)
    returns table (task_id bigint, code text, message text, hint text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
    return query
    select i.task_id, p.code, p.words, p.advice
    from (select distinct u.task_id from unnest(_task_ids) as u(task_id)) as i
    left join lateral (select x.task_type::text as task_type, x.payload->>'job_id' as job_id from queues.task as x where x.task_id = i.task_id offset 0) as t on true
    left join lateral (select x.outcome from queues.task_completed as x where x.task_id = i.task_id offset 0) as c on true
    left join lateral (select internal.last_attempt(x.task_id) as last_id from queues.task_attempt as x where x.task_id = i.task_id offset 0) as a on true
    left join lateral (select x.task_id as open_id from (select a.last_id as task_id) as x where x.task_id <> i.task_id
                         and (select e.task_id from queues.task_completed as e where e.task_id = x.task_id limit 1) is null) as o on true
    left join lateral (select x.task_id as next_id from queues.task as x where _once and x.retry_of = i.task_id order by x.task_id limit 1) as n on true
    cross join lateral (
        select 'P0002' as code, format('task %s does not exist', coalesce(i.task_id::text, 'null')) as words, null as advice, 1 as nth where t.task_type is null
        union all
        select '55000', format('task %s is not completed', i.task_id), 'Only a completed task can be retried; cancel it first, or wait.', 2 where c.outcome is null
        union all
        select '55000', format('task %s is retried by its policy already, as task %s', i.task_id, o.open_id),
               format('select queues.reschedule_task(%s, now());', o.open_id), 3 where o.open_id is not null
        union all
        select '0A000', format('task %s is a run of a job', i.task_id), format('select pgqueue.retry_job(%s);', t.job_id), 4 where t.task_type in ('job_http', 'job_func')
        union all
        select '55000', format('task %s was retried already, as task %s', i.task_id, n.next_id), null, 5 where n.next_id is not null
        order by 4 limit 1) as p;
end
$$;
comment on function internal.repeat_problems(bigint[], boolean) is 'Why some tasks cannot be repeated.';
