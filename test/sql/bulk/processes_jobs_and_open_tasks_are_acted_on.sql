begin;
select plan(22);
set local client_min_messages = error;
select internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id']), internal.allow_function('test.ok');
create function pg_temp.run(_act bigint) returns text language sql as $$ select (r.done, r.skipped, r.refused, r.is_finished)::text from queues.run_bulk(_act) as r $$;
-- Cancel.
select test.enqueue('test.ok') as waits, test.enqueue('test.ok') as runs, test.enqueue('test.ok') as ends, worker.enqueue('act', '{"children": [{}, {}]}') as parent \gset
select test.lease(:runs), test.run_command(:parent);
select act_id as act, counted from queues.preview_bulk('task_cancel', _all => true, _reason => 'enough') \gset
select is(:counted, 6, 'open tasks, with a parent and its children');
select test.run(:ends);
select is(pg_temp.run(:act), '(5,1,0,t)', 'all but the one that has ended');
select is((select d.message from queues.bulk_done as d where d.act_id = :act and d.target_id = :runs), 'requested', 'a running one is asked to stop');
select is((select c.result->>'reason' from queues.task_completed as c where c.task_id = :waits), 'enough', 'with the reason');
select is((select count(*) from queues.audit where action = 'cancel_task'), 0::bigint, 'one act on record');
select is((select array_agg(test.outcome(c)) from unnest(test.children(:parent)) as c), array['cancelled', 'cancelled'], 'children, too');
-- Revive.
select array_agg(test.process(n, 'raise')) as runs from generate_series(1, 3) as n \gset
select queues.end_process(p.process_id, 'no') from queues.process as p where p.supervisor = 'test.supervise';
select act_id as act, counted from queues.preview_bulk('process_revive', _outcome => 'cancelled', _type => 'test.supervise') \gset
select is(:counted, 3, 'ended processes');
select queues.revive_process(max(process_id)) from queues.process;
select is(pg_temp.run(:act), '(2,1,0,t)', 'one lives already');
select is((select count(*) from queues.process_revived), 3::bigint, 'one revival each');
select counted from queues.preview_bulk('process_revive', _outcome => 'cancelled') \gset
select is(:counted, 0, 'live ones are not found');
select throws_ok($$select * from queues.preview_bulk('process_revive', _queue => 'default')$$, '22023', 'queue has no meaning for process_revive', 'a process has no queue');
-- Jobs.
select array_agg(test.job('https://x.example/' || n)) as jobs from generate_series(1, 4) as n \gset
select test.job('https://y.example/') as y \gset
select test.answer_job(j, 503) from unnest(:'jobs'::bigint[]) as j;
select act_id as act, counted, examples from queues.preview_bulk('job_retry', _url => 'https://x.example/') \gset
select is(:counted, 4, 'jobs that failed for good');
select is(:'examples'::jsonb #>> '{0,url}', 'https://x.example/...', 'an example shows the host alone');
select pgqueue.retry_job((:'jobs'::bigint[])[1]);
select is(pg_temp.run(:act), '(3,1,0,t)', 'one was restarted meanwhile');
select is((select count(*) from pgqueue.job_run where job_id = any(:'jobs'::bigint[])), 8::bigint, 'one more run each');
select is((select count(*) from queues.audit where action = 'retry_job'), 1::bigint, 'one act on record');
select counted from queues.preview_bulk('job_retry', _outcome => 'too_many') \gset
select is(:counted, 0, 'another status');
select act_id as act, counted from queues.preview_bulk('job_cancel', _state => 'new', _since => now() - interval '1 hour') \gset
select is(:counted, 5, 'open jobs');
select pgqueue.cancel_job(:y);
select is(pg_temp.run(:act), '(4,1,0,t)', 'are cancelled');
select is((select count(*) from pgqueue.job_queue where job_status in ('new', 'failed', 'processing')), 0::bigint, 'none is open');
select is((select array_agg(s.kind || ' ' || s.state order by s.act_id) from queues.bulk_state as s where s.started_at is not null),
    array['task_cancel done', 'process_revive done', 'job_retry done', 'job_cancel done'], 'all are done');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
