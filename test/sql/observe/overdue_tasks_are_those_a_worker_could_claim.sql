-- Due tasks of the queues and types that are asked for; pauses and limits are no delay of a worker.
begin;
select plan(9);
select is(queues.overdue(), null, 'nothing is due');
select test.enqueue(_at => now() + interval '1 hour') as later \gset
select is(queues.overdue(), null, 'a task of the future is not due');
select test.enqueue(_at => now() - interval '1 hour') as due \gset
select ok(queues.overdue() between '1 hour' and '2 hours', 'the oldest due task counts');
select test.enqueue(_at => now() - interval '5 hours', _priority => 7) as older \gset
select ok(queues.overdue() between '5 hours' and '6 hours', 'whatever its priority');
select is(queues.overdue(_types => '{noop}'), null, 'another type is somebody else''s');
select is(queues.overdue(_queues => '{http}'), null, 'so is another queue');
select queues.pause_queue('default');
select is(queues.overdue(), null, 'a pause is no delay');
select queues.resume_queue('default');
update queues.queue set max_running = 1 where queue = 'default';
select ok(queues.overdue() > '5 hours', 'a queue with room is served');
select test.lease(:due);
select is(queues.overdue(), null, 'tasks of a queue at its limit wait for room');
select * from finish();
rollback;
