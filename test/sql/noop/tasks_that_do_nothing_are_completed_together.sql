begin;
select plan(5);
select queues.enqueue_many('noop', array_fill('{}'::jsonb, array[3]));
select test.enqueue() as function \gset
create temp table claimed as select * from queues.claim(test.worker(), _limit => 10);
select is((select array_agg(mode order by task_id)::text from claimed), '{complete,complete,complete,execute}', 'claim says what is to be done');
select is((select count(*) from queues.complete_noop(test.worker(), (select array_agg(task_id) from claimed), (select array_agg(lease_no) from claimed))), 3::bigint, 'the function is left out');
select is((select count(*) from queues.task_completed where outcome = 'succeeded' and lease_no = 1), 3::bigint, 'completions like any other');
select is((select count(*) from queues.complete_noop(test.worker(), (select array_agg(task_id) from claimed), (select array_agg(lease_no) from claimed))), 0::bigint, 'a second time changes nothing');
select is(test.violations(), '', 'in good order');
select * from finish();
rollback;
