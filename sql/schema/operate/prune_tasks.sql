-- internal.prune_tasks(_done_before, _failed_before, _limit, _only_commands)
-- Removes all facts of tasks that were completed before these times, smallest ids first; returns their number.  A tree is removed
-- when its root qualifies, a process when all its tasks do, and the attempts of a chain when all of them do.
create or replace function internal.prune_tasks(_done_before timestamptz, _failed_before timestamptz, _limit integer,
        _only_commands boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _ids bigint[];
    _processes bigint[];
    _jobs bigint[];
    _changes bigint[];
begin
    with recursive root as (
        select t.task_id from queues.task as t
        join queues.task_completed as c on c.task_id = t.task_id
        where c.completed_at < case when c.outcome in ('succeeded', 'non_success', 'superseded')
                                    then _done_before else _failed_before end
          and (t.task_type = 'command' or not _only_commands)
          and (t.parent_id is null or (select p.task_id from queues.task as p where p.task_id = t.parent_id limit 1) is null)
          -- A chain counts by its first attempt, which failed, and goes with all its attempts.
          and (select true from queues.task_attempt as a where a.task_id = t.task_id and a.attempt > 1
               and (select f.task_id from queues.task as f where f.task_id = a.chain_id limit 1) is not null limit 1) is null
          and (c.outcome = 'succeeded' or (
                select true from queues.task_attempt as n left join queues.task_completed as d on d.task_id = n.task_id
                where n.chain_id = t.task_id
                  and (d.completed_at < case when d.outcome in ('succeeded', 'non_success', 'superseded')
                                             then _done_before else _failed_before end) is not true
                limit 1) is null)
          and (t.process_id is null or internal.process_qualifies(t.process_id, _done_before, _failed_before))
        order by t.task_id
        limit _limit
    ), tree as (
        select r.task_id as root_id, r.task_id from root as r
        union
        select f.root_id, k.task_id from tree as f cross join lateral (
            select c.task_id from queues.task as c where c.parent_id = f.task_id
            union all
            select n.task_id from queues.task_attempt as n where n.chain_id = f.task_id) as k
    ), whole as (
        -- The sum over earlier trees decides which trees still fit; a large tree is removed alone.
        select f.root_id, sum(count(*)) over (order by f.root_id) as so_far, row_number() over (order by f.root_id) as nth
        from tree as f left join queues.task_completed as c on c.task_id = f.task_id
        group by f.root_id
        having count(*) = count(c.task_id)
    )
    select array_agg(f.task_id) into _ids
    from whole as w join tree as f on f.root_id = w.root_id
    where w.so_far <= _limit or w.nth = 1;
    if _ids is null then
        return 0;
    end if;
    select array_agg(distinct t.process_id) into _processes from queues.task as t
    where t.task_id = any(_ids) and t.process_id is not null;
    select array_agg(distinct (t.payload->>'job_id')::bigint) into _jobs from queues.task as t
    where t.task_id = any(_ids) and t.task_type in ('job_http', 'job_func');
    -- Rows of large statements whose jobs were never made, because their task was cancelled or gave up.
    select array_agg((t.payload->>'change_id')::bigint) into _changes from queues.task as t
    where t.task_id = any(_ids) and t.task_type = 'db_function' and t.payload->>'db_function' = 'pgqueue.make_webhook_jobs'
      and t.payload->>'change_id' ~ '^[0-9]{1,18}$';

    insert into internal.pruning (xact) values (pg_current_xact_id());
    delete from queues.task_completed where task_id = any(_ids);
    delete from queues.task_lease where task_id = any(_ids);
    delete from queues.task_lease_renewed where task_id = any(_ids);
    delete from queues.task_lease_ended where task_id = any(_ids);
    delete from queues.task_dispatched where task_id = any(_ids);
    delete from queues.task_progress where task_id = any(_ids);
    delete from queues.late_result where task_id = any(_ids);
    delete from queues.task_changed where task_id = any(_ids);
    delete from queues.task_cancel_requested where task_id = any(_ids);
    delete from queues.task_attempt where task_id = any(_ids);
    delete from queues.task_trace where task_id = any(_ids);
    delete from queues.task_folded where task_id = any(_ids);
    delete from worker.handler_done where task_id = any(_ids);
    delete from worker.task_parent where task_id = any(_ids);
    delete from queues.error where task_id = any(_ids);
    delete from queues.task where task_id = any(_ids);
    -- A job is removed with its last run.
    delete from pgqueue.job_run where job_id = any(_jobs) and task_id = any(_ids);
    -- Another session may be about to start a job again: the first to lock its row decides.
    perform 1 from pgqueue.job as j where j.job_id = any(_jobs) order by j.job_id for update;
    -- failpoint: prune.jobs_locked
    select array_agg(j) into _jobs from unnest(_jobs) as j where not exists (select 1 from pgqueue.job_run as r where r.job_id = j);
    delete from pgqueue.failed_log where job_id = any(_jobs);
    delete from pgqueue.job_ended where job_id = any(_jobs);
    delete from pgqueue.job_secret where job_id = any(_jobs);
    delete from pgqueue.job where job_id = any(_jobs);
    delete from pgqueue.webhook_change_column where change_id = any(_changes);
    delete from pgqueue.webhook_change where change_id = any(_changes);
    -- Processes without any tasks.
    select array_agg(p.process_id) into _processes from unnest(_processes) as p(process_id)
    where not exists (select 1 from queues.task as t where t.process_id = p.process_id);
    delete from queues.process_run where process_id = any(_processes);
    delete from queues.process_ended where process_id = any(_processes);
    delete from queues.process_revived where process_id = any(_processes);
    delete from queues.process where process_id = any(_processes);
    delete from queues.holder as h
    where h.created_at < _failed_before
      and not exists (select 1 from queues.task_lease as l where l.holder_id = h.holder_id)
      and not exists (select 1 from queues.running as r where r.holder_id = h.holder_id);
    delete from internal.pruning where xact = pg_current_xact_id();

    insert into queues.pruned (pruned_at, from_task_id, to_task_id, tasks)
    select _now, min(i), max(i), count(*) from unnest(_ids) as i;
    return cardinality(_ids);
end
$$;
comment on function internal.prune_tasks(timestamptz, timestamptz, integer, boolean) is 'Removes facts of tasks that completed before a time.';
