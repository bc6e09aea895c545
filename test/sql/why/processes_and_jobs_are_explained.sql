begin;
select plan(13);
set local client_min_messages = error;
select internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id']);
select test.process(5, 'again') as run \gset
select process_id as id from queues.task where task_id = :run \gset
select is((select w.subject || ' ' || w.reason || ' ' || (w.evidence->>'task_id' = :'run') from queues.why_process(:id) as w), format('process %s no_worker true', :id), 'a live process waits for what its next run waits for');
call worker.process_tasks();
select alike((select w.sentence from queues.why_process(:id) as w), 'Process % lives; its run 1 said %, and its next run is task %', 'its last decision is told') ;
select queues.end_process(:id, 'enough of it');
select is((select w.reason || ' ' || (w.evidence->>'end_reason') from queues.why_process(:id) as w), 'process_ended cancelled', 'an ended one says how it ended');
select alike((select w.sentence from queues.why_process(:id) as w), '%: enough of it.', 'and why');
select is((select w.reason from queues.why_process(999999999) as w), 'not_found', 'no such process');
insert into queues.process (supervisor, ids, created_at) values ('test.supervise', '{"id": 6}', now());
select is((select w.reason from queues.process as p, queues.why_process(p.process_id) as w where p.ids = '{"id": 6}'), 'unknown', 'without a run and an end nobody knows');

select test.job('https://user:secret@x.example/path?token=secret', _retry_limit => 2) as job \gset
select is((select w.subject || ' ' || w.reason from queues.why_process(:id), pgqueue.why_job(:job) as w), format('job %s no_worker', :job), 'an open job waits for what its run waits for');
select test.answer_job(:job, 429, '{}', 'busy');
select is((select w.reason || ' ' || (w.evidence->>'last_answer') from pgqueue.why_job(:job) as w), 'not_due 429', 'its retry is not due');
select test.job('https://x.example/', _retry_limit => 1) as bad \gset
select test.answer_job(:bad, 503, '{}', 'no such page');
select is((select w.reason || ' ' || (w.evidence->>'response_status') from pgqueue.why_job(:bad) as w), 'job_ended 503', 'an ended one says how it ended');
select alike((select w.sentence from pgqueue.why_job(:bad) as w), '%with answer 503: no such page.', 'with the answer');
select test.job('https://x.example/') as gone \gset
select pgqueue.cancel_job(:gone);
select is((select w.reason from pgqueue.why_job(:gone) as w), 'job_ended', 'a cancelled one has ended');
select is((select w.reason from pgqueue.why_job(null) as w), 'not_found', 'no such job');
select unalike((select string_agg(w.sentence || w.evidence, ' ') from pgqueue.job as j, pgqueue.why_job(j.job_id) as w), '%secret%', 'no URL shows more than its host');
select * from finish();
rollback;
