begin;
select plan(6);
insert into pgqueue.job_queue (url) values ('https://retry.example/') returning job_id \gset
create function pg_temp.waits() returns text language sql as $$
    select r.destination || coalesce(' ' || r.is_retry, '') from queues.ready as r $$;
select is(pg_temp.waits(), 'retry.example', 'the first run');
select test.lease((select task_id from queues.ready)) as lease \gset
select task_id as id from queues.running \gset
select queues.finish(test.worker(), :id, :lease, 'failed', null, 'no', 'network');
select is(pg_temp.waits(), 'retry.example true', 'the next one is a retry');
select is((select string_agg(k, ' ' order by k) from queues.task as t, jsonb_object_keys(t.payload) as k where t.task_id > :id), 'job_id job_run',
          'and says so nowhere in its payload');
select is((select e.destination || ' ' || e.is_retry from internal.expected_ready as e), 'retry.example true', 'the facts know it');
select test.lease((select task_id from queues.ready));
select is((select r.destination || ' ' || r.is_retry from queues.running as r), 'retry.example true', 'so does its lease');
update queues.running set expires_at = clock_timestamp() - interval '1 second';
select internal.take_back(clock_timestamp());
select pgqueue.retry_job(:job_id);
select is(pg_temp.waits(), 'retry.example', 'from the beginning it is no retry');
select * from finish();
rollback;
