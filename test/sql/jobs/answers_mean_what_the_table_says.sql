begin;
select plan(29);
create temp table answer (status integer, headers jsonb, wanted text);
insert into answer values (200, '{}', 'completed'), (204, '{}', 'completed'), (299, '{}', 'completed'), (201, '{}', 'completed'),
    (400, '{}', 'failed'), (404, '{}', 'failed'), (410, '{}', 'failed'), (429, '{}', 'failed'), (499, '{}', 'failed'),
    (404, '{"x-job-finished": "1"}', 'completed'), (404, '{"x-job-finished": ""}', 'completed'), (429, '{"x-job-finished": "1"}', 'failed'),
    (500, '{}', 'server_error'), (502, '{}', 'server_error'), (503, '{"x-job-finished": "1"}', 'server_error'), (599, '{}', 'server_error'),
    (100, '{}', 'other'), (301, '{}', 'other'), (302, '{}', 'other'), (600, '{}', 'other'), (999, '{}', 'other');
create temp table asked as select a.*, test.job() as id from answer as a;
select test.answer_job(id, status, headers, 'body') from asked;
select is(test.job_status(id), wanted, format('%s %s', status, headers)) from asked;
select is((select count(*) from pgqueue.job_queue as j join asked as a on a.id = j.job_id
           where j.response_status = a.status and j.response_content = 'body' and j.response_headers = a.headers and j.last_at is not null),
          21::bigint, 'status, body and headers are kept');
select is((select count(*) from pgqueue.failed_log as f join asked as a on a.id = f.job_id where f.response_status = a.status and f.job_run = 1),
          (select count(*) from asked where wanted <> 'completed'), 'every failed run is in the log');
select is((select count(*) from queues.error as e join pgqueue.job_run as k using (task_id) join asked as a on a.id = k.job_id
           where e.error_message = 'http status ' || a.status), (select count(*) from asked where wanted <> 'completed'), 'and an error fact');
select test.job() as id \gset
select queues.simulate(task_id, 'in_doubt', null, 'no answer of "example.com" in time') from pgqueue.job_queue where job_id = :id;
select results_eq(format('select job_status::text, response_status, response_content, retry_count from pgqueue.job_queue where job_id = %s', :id),
    $$values ('failed', 0::smallint, 'no answer of "example.com" in time', 1)$$, 'no answer is status 0, and says why');
insert into pgqueue.job_queue (url, retry_5xx) values ('https://x/', true) returning job_id as id \gset
select test.answer_job(:id, 503);
select is(test.job_status(:id), 'failed', '503 is tried again if the job wants it');
select test.answer_job(:id, 500);
select is(test.job_status(:id), 'server_error', '500 is not');
select internal.set_config('pgqueue_retry_5xx', 'true');
select test.job() as id \gset
select test.answer_job(:id, 502);
select is(test.job_status(:id), 'failed', 'or if the setting does');
select test.job() as id \gset
select test.answer_job(:id, 200, '{"set-cookie": "secret", "a": "b"}');
select is((select response_headers from pgqueue.job_queue where job_id = :id), '{"a": "b"}', 'cookies are not kept');
select * from finish();
rollback;
