-- The worker role can call the last step of a job alone, so the step itself compares worker and lease.
begin;
select plan(4);
select test.job() as job \gset
select j.task_id as task from pgqueue.job_queue as j where j.job_id = :job \gset
select test.lease(:task);
create function pg_temp.end_run(_worker text, _lease integer) returns void language plpgsql as $$
begin
    perform internal.end_runs(test.worker(_worker), array[current_setting('test.task')::bigint], array[_lease], array['answered'],
                              array['{"status": 200, "headers": {}, "body": ""}'::jsonb], array[null::text], array[null::text]);
end $$;
select set_config('test.task', :'task', true);
select pg_temp.end_run('two', 1);
select is(test.place(:task), 'running', 'another worker ends nothing');
select pg_temp.end_run('one', 2);
select is(test.place(:task), 'running', 'another lease ends nothing');
select is(test.job_status(:job), 'processing', 'the job goes on');
select pg_temp.end_run('one', 1);
select is(test.place(:task), 'completed', 'its own lease ends it');
select * from finish();
rollback;
