begin;
select plan(11);
select test.enqueue() as id \gset
select is(queues.reschedule_task(:id, now() + interval '1 day'), true, 'moved');
select is((select available_at from queues.ready where task_id = :id), now() + interval '1 day', 'later');
select is((select (reason, changed_by)::text from queues.task_changed where task_id = :id), '(reschedule,postgres)', 'the change is a fact');
select is(test.violations(), '', 'facts and working set agree');
select queues.reschedule_task(:id, now() - interval '1 s');
select is((select task_id from queues.claim(test.worker())), :id, 'moved forward, it is claimed');
select is(queues.reschedule_task(:id, now()), false, 'a running task is not moved');
select queues.release(test.worker(), array[:id]::bigint[], array[1]);
select is(queues.reschedule_task(:id, now() + interval '1 hour'), true, 'released, it is');
select is(test.violations(), '', 'facts and working set agree');
select throws_ok(format('select queues.reschedule_task(%s, null)', :id), '22004', null, 'no time');
select throws_ok(format('select queues.reschedule_task(%s, %L)', :id, 'infinity'), '22008', null, 'infinite time');
select throws_ok('select queues.reschedule_task(999999999, now())', 'P0002', null, 'unknown task');
select * from finish();
rollback;
