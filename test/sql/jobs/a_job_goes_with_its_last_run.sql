-- slow: make check leaves this file out
begin;
select plan(6);
select test.job() as old, test.job() as mixed, test.job() as fresh \gset
select test.answer_job(:old, 500), test.answer_job(:mixed, 404), test.answer_job(:fresh, 200);
select test.unguard('queues.task_completed');
update queues.task_completed set completed_at = now() - interval '1 year' where task_id in (select task_id from pgqueue.job_run where job_id in (:old, :mixed));
select is(queues.prune(), 2::bigint, 'two old runs');
select is((select count(*) from pgqueue.job where job_id = :old), 0::bigint, 'the job whose last run was old is gone');
select is((select count(*) from pgqueue.failed_log where job_id = :old) + (select count(*) from pgqueue.job_ended where job_id = :old), 0::bigint, 'with what it wrote');
select is(test.job_status(:mixed), 'failed', 'one that waits for a retry stays');
select is(test.job_status(:fresh), 'completed', 'and so does a young one');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
