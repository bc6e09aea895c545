begin;
select plan(10);
select test.enqueue('test.supervise', '{"id": 1}', now() + interval '1 hour') as id \gset
select test.process_id(1) as process \gset
select is(queues.wake_process('test.supervise', '{"id": 1}', now() + interval '2 hours'), true, 'live');
select is((select available_at from queues.ready where task_id = :id), now() + interval '1 hour', 'never back');
select is(queues.wake_process('test.supervise', '{"id": 1}'), true, 'live');
select is((select available_at from queues.ready where task_id = :id), now(), 'forward');
select is((select (reason, available_at = now())::text from queues.task_changed where task_id = :id), '(wake,t)', 'the change is a fact');
select is(test.open_ticks(:process), 1::bigint, 'one run');
select is(queues.wake_process('test.supervise', '{"id": 77}'), false, 'unknown: not live');
select throws_ok($$select queues.wake_process(null, '{}')$$, '22004', null, 'no supervisor');
select throws_ok($$select queues.wake_process('test.supervise', '{"id": 1}', 'infinity')$$, '22008', null, 'no end of time');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
