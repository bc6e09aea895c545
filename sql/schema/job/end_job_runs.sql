-- internal.end_job_runs(_worker_id, _ends)
-- Hook `end` of FUNC jobs: records the ends of runs that a batch has made (internal.run_batch).
create or replace function internal.end_job_runs(_worker_id uuid, _ends internal.run_end[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.end_runs(_worker_id, array(select e.task_id from unnest(_ends) as e), array(select e.lease_no from unnest(_ends) as e),
        array(select e.outcome from unnest(_ends) as e), array(select e.result from unnest(_ends) as e),
        array(select e.error from unnest(_ends) as e), array(select 'handler'::text from unnest(_ends) as e));
end
$$;
comment on function internal.end_job_runs(uuid, internal.run_end[]) is 'Records the ends of runs of FUNC jobs.';
