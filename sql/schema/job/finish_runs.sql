-- internal.finish_runs(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _classes)
-- Hook `finish` of jobs: records results of runs, and returns the tasks that it has ended.  A stored result that a superseded lease
-- brought late is also an answer.
create or replace function internal.finish_runs(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _outcomes text[],
        _results jsonb[], _errors text[], _classes text[]) returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if 'stored' = any(_outcomes) then
        select array_agg(case when w.outcome is distinct from 'stored' then w.outcome
                              when s.outcome = 'succeeded' and s.result ? 'status' then 'answered'
                              else coalesce(s.outcome, 'in_doubt') end order by w.n),
               array_agg(case when w.outcome is distinct from 'stored' then w.result else s.result end order by w.n),
               array_agg(case when w.outcome is distinct from 'stored' then w.error else s.error_message end order by w.n)
        into _outcomes, _results, _errors
        from unnest(_task_ids, _outcomes, _results, _errors) with ordinality as w(task_id, outcome, result, error, n)
        left join lateral internal.stored_result(w.task_id) as s on w.outcome = 'stored';
    end if;
    return query select e from internal.end_runs(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _classes) as e;
end
$$;
comment on function internal.finish_runs(uuid, bigint[], integer[], text[], jsonb[], text[], text[]) is 'Records results of runs of jobs.';
