begin;
select plan(9);
select worker.enqueue('merged', '{"kind": "a", "ids": [2, 1], "n": 1}') as first \gset
select worker.enqueue('merged', '{"kind": "a", "ids": [3, 2], "n": 2}') as second \gset
select worker.enqueue('merged', '{"kind": "b", "ids": [9]}') as other \gset
select is(:first, :second, 'the same task');
select isnt(:first, :other, 'another value of the key is another task');
select is((select count(*) from queues.ready), 2::bigint, 'one waiting row per key');
select is((select payload from worker.tasks where id = :first), '{"kind": "a", "ids": [1, 2, 3], "n": 3, "command": "merged"}', 'the view shows what the run would get');
select test.lease(:first) as lease \gset
select worker.enqueue('merged', '{"kind": "a", "ids": [4], "n": 4}') as third \gset
select isnt(:third, :first, 'once it is claimed, a new task is made');
select outcome from queues.execute(test.worker(), :first, :lease);
select is(test.calls('plain'), array['{"kind": "a", "ids": [1, 2, 3], "n": 3}']::jsonb[], 'the run gets all of it, once');
select is((select payload from worker.tasks where id = :first), '{"kind": "a", "ids": [1, 2, 3], "n": 3, "command": "merged"}', 'and it stays on record');
select is((select count(*) from queues.task_changed where task_id = :first and reason = 'merge'), 1::bigint, 'with what came in, as a fact');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
