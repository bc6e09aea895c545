begin;
select plan(6);
\set a '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
select queues.enqueue('http', '{"request": {"url": "https://example.org/"}}') as plain,
       queues.enqueue('http', jsonb_build_object('request', '{"url": "https://example.org/"}'::jsonb, 'traceparent', :'a')) as http,
       test.enqueue_email(jsonb_build_object('traceparent', :'a')) as mail \gset
select set_config('reeve.traceparent', :'a', true);
select test.job() as id \gset
select task_id as job from pgqueue.job_run where job_id = :id \gset
select set_config('reeve.traceparent', '', true);
select test.lease(t) from unnest(array[:plain, :http, :mail, :job]::bigint[]) as t;
create temp table announced as
select * from queues.begin_dispatch_batch(test.worker(), array[:plain, :http, :mail, :job]::bigint[], array[1, 1, 1, 1]);
select is((select decision || ' ' || coalesce(traceparent, 'none') from announced where task_id = :plain), 'send none', 'a call without a trace');
select is((select decision || ' ' || traceparent from announced where task_id = :http), 'send ' || :'a', 'a call');
select is((select decision || ' ' || traceparent from announced where task_id = :mail), 'send ' || :'a', 'a call with a before handler');
select is((select decision || ' ' || traceparent from announced where task_id = :job), 'send ' || :'a', 'a job');
-- A later lease takes the long way.
select queues.finish(test.worker(), :http, 1, 'unsent');
select test.lease(:http);
select is((select decision || ' ' || traceparent from queues.begin_dispatch_batch(test.worker(), array[:http]::bigint[], array[2])), 'send ' || :'a', 'a call under a later lease');
select is((select traceparent from queues.begin_dispatch_batch(gen_random_uuid(), array[:http]::bigint[], array[2])), null, 'nobody else learns it');
select * from finish();
rollback;
