begin;
select plan(33);
select test.job() as id \gset
select is(pgqueue.cancel_job(:id), 'cancelled', 'a job that waits');
select is(test.job_status(:id), 'other', 'has ended');
select is(pgqueue.cancel_job(:id), 'completed', 'only once');
select throws_ok('select pgqueue.cancel_job(-1)', 'P0002', null, 'no such job');
select test.job() as id \gset
select task_id as task from pgqueue.job_queue where job_id = :id \gset
select test.lease(:task);
select is(test.job_status(:id), 'processing', 'a job in progress');
select is(pgqueue.cancel_job(:id), 'requested', 'is asked to stop');
select throws_ok(format('select pgqueue.retry_job(%s)', :id), '55000', null, 'and cannot be started again');
select is((select decision from queues.begin_dispatch_batch(test.worker(), array[:task], array[1])), 'completed', 'it is not sent');
select is(test.job_status(:id), 'other', 'it has ended');
select lives_ok(format('select pgqueue.retry_job(%s)', :id), 'now it can be started again');
select results_eq(format('select job_status::text, retry_count from pgqueue.job_queue where job_id = %s', :id), $$values ('new', 0)$$, 'from the beginning');
select test.answer_job(:id, 404);
select is(test.job_status(:id), 'failed', 'it waits for its retry');
select lives_ok(format($$update pgqueue.job_queue set run_at = now() + interval '1 day' where job_id = %s$$, :id), 'an update moves it');
select is((select run_at from pgqueue.job_queue where job_id = :id), now() + interval '1 day', 'in time');
select lives_ok(format($$update pgqueue.job_queue set job_status = 'new' where job_id = %s$$, :id), 'or starts it again');
select results_eq(format('select job_status::text, retry_count from pgqueue.job_queue where job_id = %s', :id), $$values ('new', 0)$$, 'from the beginning, too');
select is((select count(*) from queues.ready as r join pgqueue.job_run as k using (task_id) where k.job_id = :id), 1::bigint, 'once');
select throws_ok(format('update pgqueue.job_queue set %s where job_id = %s', c, :id), '0A000', null, c)
from unnest(array['url = ''/y''', 'payload = ''{}''', 'job_status = ''completed''', 'retry_count = 3']) as c;
select throws_ok(format('delete from pgqueue.job_queue where job_id = %s', :id), '0A000', null, 'no delete');
select throws_ok(format('select queues.retry_task(%s)', :task), '0A000', null, 'its task is not started by itself');
select test.answer_job(:id, 500);
select is(pgqueue.replay_failed('https://example.com/', now() - interval '1 hour'), 1, 'what failed is played again');
select is(pgqueue.replay_failed('https://other.example/', now() - interval '1 hour'), 0, 'of this URL only');
-- Cancelled in flight, and failed: it is not tried again.
select test.job() as id \gset
select task_id as task from pgqueue.job_queue where job_id = :id \gset
select test.lease(:task);
select decision from queues.begin_dispatch_batch(test.worker(), array[:task], array[1]);
select throws_ok(format($$update pgqueue.job_queue set run_at = now() + interval '1 hour' where job_id = %s$$, :id), '0A000', null, 'a job in flight is not moved');
select throws_ok(format($$update pgqueue.job_queue set job_status = 'new' where job_id = %s$$, :id), '0A000', null, 'nor started again');
select is(pgqueue.cancel_job(:id), 'requested', 'but asked to stop');
select queues.finish(test.worker(), :task, 1, 'answered', '{"status": 404, "headers": {}, "body": "no"}');
select results_eq(format('select job_status::text, response_status::integer, response_content from pgqueue.job_queue where job_id = %s', :id), $$values ('other', 404, 'no')$$, 'when it fails it has ended');
select is((select count(*) from pgqueue.job_run where job_id = :id), 1::bigint, 'without another run');
select throws_ok(format($$update pgqueue.job_queue set run_at = now() + interval '1 hour' where job_id = %s$$, :id), '0A000', null, 'what has ended is not moved');
select is(pgqueue.cancel_job(:id), 'completed', 'or cancelled');
insert into pgqueue.job_queue (url, job_jwt) values ('/x', 'token') returning job_id as id \gset
select pgqueue.cancel_job(:id);
select throws_ok(format('select pgqueue.retry_job(%s)', :id), '55000', null, 'a secret that was given by value is gone with the job');
select * from finish();
rollback;
