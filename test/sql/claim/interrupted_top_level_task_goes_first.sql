-- In a queue with a limit at the top, what was begun is finished before something new starts.
begin;
select plan(5);
select queues.create_queue('tree', null, 1);
select test.enqueue(_queue => 'tree', _at => now() - interval '2 s') as a \gset
select test.enqueue(_queue => 'tree', _at => now() - interval '1 s') as b \gset
select is((select task_id from queues.claim(test.worker())), :a, 'the first in order');
select test.expire(:a);
select is((select task_id from queues.claim(test.worker('two'))), :a, 'its holder died: it comes first again');
select is((select count(*) from queues.release(test.worker('two'), array[:a]::bigint[], array[2])), 1::bigint, 'given back');
select is((select task_id from queues.claim(test.worker('two'))), :a, 'it comes first again');
select queues.release(test.worker('two'), array[:a]::bigint[], array[3], interval '1 hour');
select is((select task_id from queues.claim(test.worker('two'))), :b, 'but nobody waits for what is not due');
select * from finish();
rollback;
