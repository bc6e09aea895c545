begin;
select plan(7);
set local client_min_messages = error;
select worker.register_command('act', 'test.act', 'trees');
select worker.enqueue('act', '{"children": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}]}') as first, worker.enqueue('act') as second \gset
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10)), array[:first]::bigint[], 'one at the top');
select outcome from queues.execute(test.worker(), :first, 1);
select is((select array_agg(task_id order by task_id) from queues.claim(test.worker(), _limit => 10)), (test.children(:first))[1:3], 'three of its children, which is the concurrency');
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'no more');
select outcome from queues.execute(test.worker(), (test.children(:first))[1], 1);
select is((select task_id from queues.claim(test.worker(), _limit => 10)), (test.children(:first))[4], 'when one has ended, the next');
select outcome from unnest((test.children(:first))[2:4]) as c, queues.execute(test.worker(), c, 1);
select is(test.state(:first), 'completed', 'the tree is done');
select is((select task_id from queues.claim(test.worker(), _limit => 10)), :second, 'then the second tree begins');
select ok((select bool_and(run_alone) from (select worker.enqueue('act', '{}', null, -1)) as e, queues.claim(test.worker(), _limit => 10)) is not false, 'none of them waits in a batch of another');
select * from finish();
rollback;
