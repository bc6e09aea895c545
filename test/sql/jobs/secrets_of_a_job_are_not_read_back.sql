begin;
select plan(21);
insert into pgqueue.job_queue (url, job_jwt, signing_secret) values ('/x', 'tok-canary', 'sec-canary') returning job_id as id, job_jwt as told \gset
select is(:'told'::text, '[set]', 'returning gives a marker');
select results_eq(format('select job_jwt, signing_secret from pgqueue.job_queue where job_id = %s', :id), $$values ('[set]', null::bytea)$$, 'and so does the view');
select is((select count(*) from queues.task where payload::text like '%canary%'), 0::bigint, 'no task has it');
select is((select count(*) from pgqueue.job as j where j::text like '%canary%'), 0::bigint, 'nor the job');
select is_empty(format($$select r from unnest(array['queues_enqueuer', 'queues_observer', 'queues_operator', 'queues_admin', 'worker_service_user']) as r
    where test.sqlstate_as(r, 'select * from pgqueue.job_secret') <> '42501'$$), 'no role reads it');
select is(test.dispatch(task_id), 'send', 'the holder of the lease') from pgqueue.job_queue where job_id = :id;
select is((select d.secrets from pgqueue.job_queue as j, queues.begin_dispatch(test.worker(), j.task_id, 1) as d where j.job_id = :id),
          '{"job": true, "edge": true, "token": "tok-canary", "signing": "7365632d63616e617279", "named": {"consumer_edge_base": null}}', 'is given it');
select queues.finish(test.worker(), task_id, 1, 'answered', '{"status": 200}') from pgqueue.job_queue where job_id = :id;
select is((select count(*) from pgqueue.job_secret), 0::bigint, 'it goes with the job');
-- Tokens.
select set_config('request.headers', '{"authorization": "Bearer session-token"}', true);
insert into pgqueue.job_queue (url, job_jwt) values ('/x', 'from_session') returning job_id as id \gset
select is((select job_jwt from pgqueue.job_secret where job_id = :id), 'session-token', 'from_session is the token of the session');
select set_config('request.headers', '', true);
select throws_ok($$insert into pgqueue.job_queue (url, job_jwt) values ('/x', 'from_session')$$, '22023', 'authorization header not found in the request', 'an empty setting is none');
insert into pgqueue.job_queue (url, job_jwt) values ('/x', 'e30.' || rtrim(encode('{"exp": 1000}', 'base64'), '=') || '.x') returning job_id as id, task_id as task \gset
select is((select jwt_expires_at from pgqueue.job_secret where job_id = :id), to_timestamp(1000), 'its end is read from it');
select is(test.dispatch(:task), 'completed', 'an expired token is not sent');
select results_eq(format('select job_status::text, response_status, response_content from pgqueue.job_queue where job_id = %s', :id),
    $$values ('other', 0::smallint, 'token expired')$$, 'and ends the job');
create table public.watched (id integer primary key);
select pgqueue.create_webhook('late', 'public.watched', '{INSERT}', '/x', _jwt => 'e30.' || rtrim(encode('{"exp": 1000}', 'base64'), '=') || '.x');
insert into public.watched values (1);
select job_id as id, task_id as task from pgqueue.job_queue order by job_id desc limit 1 \gset
select is(test.dispatch(:task), 'completed', 'nor is that of a webhook');
select is((select response_content from pgqueue.job_queue where job_id = :id), 'token expired', 'which ends its job');
-- What is asked of the program.
insert into pgqueue.job_queue (url, job_jwt) values ('https://example.com/', 'tok-canary') returning task_id as task \gset
select test.lease(:task);
select is((select (request, secrets)::text from queues.begin_dispatch(test.worker(), :task, 1)),
    (select ('{"method": "POST", "url": "https://example.com/"}'::jsonb, '{"job": true}'::jsonb)::text), 'a full URL never gets the token');
insert into pgqueue.job_queue (url) values ('/fn') returning task_id as task \gset
select test.lease(:task);
select is((select (request, secrets)::text from queues.begin_dispatch(test.worker(), :task, 1)), (select ('{"method": "POST", "url": "/fn"}'::jsonb,
    '{"job": true, "edge": true, "named": {"consumer_edge_base": null, "service_role": null}}'::jsonb)::text), 'an edge function gets service_role');
insert into pgqueue.job_queue (url, headers) values ('/fn', '{"authorization": "mine", "X-N": 1}') returning task_id as task \gset
select test.lease(:task);
select is((select (request, secrets)::text from queues.begin_dispatch(test.worker(), :task, 1)),
    (select ('{"method": "POST", "url": "/fn", "headers": {"authorization": "mine", "X-N": "1"}}'::jsonb,
    '{"job": true, "edge": true, "named": {"consumer_edge_base": null}}'::jsonb)::text), 'unless the job has a header of its own');
insert into pgqueue.job_queue (job_type, url, payload) values ('DELETE', 'https://x/', '{"a": 1}') returning task_id as task \gset
select test.lease(:task);
select is((select body from queues.begin_dispatch(test.worker(), :task, 1)), null, 'DELETE has no body');
insert into pgqueue.job_queue (url, payload) values ('https://x/', '{"b": "é\n", "a": 1e2}') returning task_id as task \gset
select test.lease(:task);
select is((select body from queues.begin_dispatch(test.worker(), :task, 1)), '{"a": 100, "b": "é\n"}', 'a body is the text of the payload');
select is((select idempotency_key from queues.task_dispatched where task_id = :task), (select job_uuid::text from pgqueue.job_queue where task_id = :task), 'its key is that of the job');
select * from finish();
rollback;
