-- A task that fails if its result stays unknown is announced only if its call can begin at once.
begin;
select plan(5);
select queues.register_task_type('charge', 'program', _on_in_doubt => 'fail');
select queues.enqueue('charge', '{"n": 1}') as first \gset
select queues.enqueue('charge', '{"n": 2}') as second \gset
select queues.enqueue('charge', '{"n": 3}', _on_in_doubt => 'retry') as third \gset
select test.lease(:first), test.lease(:second), test.lease(:third);
create temp table answer as
select * from queues.begin_dispatch_batch(test.worker(), array[:first, :second, :third]::bigint[], array[1, 1, 1], 1);
select is((select decision from answer where task_id = :first), 'send', 'there is a place');
select is((select decision from answer where task_id = :second), 'later', 'there is none');
select is((select decision from answer where task_id = :third), 'send', 'this one may be sent again');
select is((select array_agg(task_id order by task_id) from queues.task_dispatched where task_id in (:first, :second, :third)),
          array[:first, :third]::bigint[], 'what waits has no dispatch');
select is((select decision from queues.begin_dispatch_batch(test.worker(), array[:second]::bigint[], array[1], 1)), 'send',
          'later it is sent under the same lease');
select * from finish();
rollback;
