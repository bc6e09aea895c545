begin;
select plan(6);
select worker.enqueue('merged', '{"kind": "a"}', now() + interval '1 day', 5) as id \gset
select worker.enqueue('merged', '{"kind": "a"}', now() + interval '2 days', 9);
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'nothing is due');
select is((select priority from worker.tasks where id = :id), 5::bigint, 'a later one moves nothing');
select worker.enqueue('merged', '{"kind": "a"}', null, 7);
select is((select task_id from queues.claim(test.worker(), _limit => 10)), :id, 'one that is due brings it forward');
select is((select priority from queues.running where task_id = :id), 5::bigint, 'the smaller priority stays');
select is((select reason from queues.task_changed where task_id = :id order by change_no desc limit 1), 'wake', 'the move is a fact');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
