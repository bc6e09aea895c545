begin;
select plan(3);
select queues.create_queue('tree', null, 1);
select test.enqueue(_queue => 'tree') as a \gset
select test.enqueue(_queue => 'tree') as b \gset
select test.enqueue(_queue => 'tree') as child \gset
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10)), array[:a]::bigint[], 'one at the top');
update queues.ready set parent_id = :a where task_id = :child;
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10)), array[:child]::bigint[], 'its child passes');
select is(test.place(:b), 'ready', 'the second one waits');
select * from finish();
rollback;
