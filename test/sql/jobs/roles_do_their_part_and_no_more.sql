begin;
select plan(16);
create role test_anon;
select is(test.sqlstate_as('queues_enqueuer', $$insert into pgqueue.job_queue (url) values ('https://x/') returning job_id$$), '00000', 'an enqueuer inserts');
select is(test.sqlstate_as('queues_enqueuer', 'select url from pgqueue.job_queue'), '42501', 'and reads nothing');
select is(test.sqlstate_as('queues_enqueuer', 'select pgqueue.cancel_job(1)'), '42501', 'nor acts');
select is(test.sqlstate_as('test_anon', $$insert into pgqueue.job_queue (url) values ('https://x/')$$), '42501', 'nobody else inserts');
select is(test.sqlstate_as('test_anon', 'select job_id from pgqueue.job_queue'), '42501', 'nor reads');
select is(test.sqlstate_as('worker_service_user', 'select job_id from pgqueue.job_queue'), '42501', 'nor does the worker');
select is(test.sqlstate_as('queues_observer', 'select * from pgqueue.job_queue'), '00000', 'an observer looks');
insert into pgqueue.job_queue (url, payload, headers) values ('https://x/', '{"a": 1}', '{"b": "c"}');
create function pg_temp.seen_as(_role name) returns text language plpgsql as $$
declare
    _seen text;
begin
    perform set_config('role', _role, true);
    _seen := (select string_agg(coalesce(j.payload::text, '') || coalesce(j.headers::text, ''), '') from pgqueue.job_queue as j);
    perform set_config('role', 'none', true);
    return _seen;
end $$;
select is(pg_temp.seen_as('queues_observer'), '', 'at no payload and no header');
select is(pg_temp.seen_as('queues_operator'), '{"a": 1}{"b": "c"}', 'an operator sees them');
select is(test.sqlstate_as('queues_observer', 'select response_content from pgqueue.failed_log'), '42501', 'an observer sees no answer');
select is(test.sqlstate_as('queues_operator', $$update pgqueue.job_queue set run_at = now() + interval '1 hour'$$), '00000', 'an operator moves jobs');
select is(test.sqlstate_as('queues_operator', $$insert into pgqueue.job_queue (url) values ('https://x/')$$), '42501', 'and makes none');
select is(test.sqlstate_as('queues_operator', 'select pgqueue.retry_job(j.job_id) from pgqueue.job_queue as j'), '00000', 'starts them again');
select is(test.sqlstate_as('queues_operator', 'select pgqueue.cancel_job(j.job_id) from pgqueue.job_queue as j'), '00000', 'and cancels them');
select is(test.sqlstate_as('queues_enqueuer', 'select pgqueue.run_scheduled_jobs(), pgqueue.process_tasks_subminute()'), '00000', 'schedules may go on calling what they call');
select is((select count(*) from queues.task_lease), 0::bigint, 'which runs nothing');
select * from finish();
rollback;
