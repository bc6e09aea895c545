-- "Queueing a Simple HTTP POST Job", and the documented defaults.
begin;
select plan(9);
insert into pgqueue.job_queue (
    job_type, url, payload, headers
) values (
    'POST',
    'https://example.com/api',
    '{"data": "value"}'::jsonb,
    '{"X-Custom-Header": "value"}'::jsonb
) returning job_id as id \gset
select results_eq(format('select job_owner, run_at, job_type::text, url, payload, headers, job_jwt, signing_secret, signing_vault from pgqueue.job_queue where job_id = %s', :id),
    $$values (null::text, now(), 'POST', 'https://example.com/api', '{"data": "value"}'::jsonb, '{"X-Custom-Header": "value"}'::jsonb,
              null::text, null::bytea, null::text)$$, 'as given');
select results_eq(format('select signing_header, signing_style::text, signing_alg::text, signing_enc::text, retry_limit, job_status::text, retry_count from pgqueue.job_queue where job_id = %s', :id),
    $$values ('X-HMAC-Signature', 'HMAC', 'sha256', 'hex', 10, 'new', 0)$$, 'with the documented defaults');
select results_eq(format('select created_at, last_at, response_status, response_content, response_headers from pgqueue.job_queue where job_id = %s', :id),
    $$values (now(), null::timestamptz, null::smallint, null::text, null::jsonb)$$, 'and nothing has come back yet');
select is((select count(*) from queues.ready as r join pgqueue.job_run as k using (task_id) where k.job_id = :id
           and r.available_at = now() and r.destination = 'example.com'), 1::bigint, 'it is due, under the name of its host');
insert into pgqueue.job_queue (job_owner, run_at, job_type, url, payload, headers, job_jwt, signing_secret, signing_vault, signing_header,
    signing_style, signing_alg, signing_enc, retry_limit, job_status, retry_5xx, timeout, priority)
values ('me', null, null, '/hello-world', null, null, null, null, null, null, null, null, null, null, null, null, null, null)
returning job_id as id \gset
select results_eq(format('select job_owner, run_at, job_type::text, retry_limit, priority from pgqueue.job_queue where job_id = %s', :id),
    $$values ('me', now(), 'POST', 10, 0::bigint)$$, 'an explicit null means the default');
insert into pgqueue.job_queue (url, run_at) values ('https://example.com/', now() + interval '1 hour') returning job_id as id \gset
select is((select run_at from pgqueue.job_queue where job_id = :id), now() + interval '1 hour', 'a job of the future');
select is(test.job_status(:id), 'new', 'is new until then');
insert into pgqueue.job_queue (url, payload) select 'https://example.com/' || n, jsonb_build_object('n', n) from generate_series(1, 1000) as n;
select is((select count(*) from queues.ready), 1003::bigint, 'a thousand at once');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
