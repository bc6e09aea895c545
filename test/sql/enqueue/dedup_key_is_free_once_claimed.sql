begin;
select plan(4);
select queues.enqueue('http', '{}', _dedup_key => 'k') as id \gset
select is((select lease_no from queues.claim(test.worker())), 1, 'the task is claimed');
select queues.enqueue('http', '{}', _dedup_key => 'k', _dedup_policy => 'error') as new \gset
select isnt(:new, :id, 'a new task with the same key may wait');
select is((select array_agg(r) from queues.release(test.worker(), array[:id]::bigint[], array[1]) as r), array[:id]::bigint[], 'the old one is released');
select is(queues.enqueue('http', '{}', _dedup_key => 'k'), :new::bigint, 'and does not get its key back');
select * from finish();
rollback;
