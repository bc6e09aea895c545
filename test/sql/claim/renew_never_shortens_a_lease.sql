begin;
select plan(1);
select test.enqueue() as id \gset
select task_id from queues.claim(test.worker(), _lease => '1 hour');
select queues.renew(test.worker(), array[:id]::bigint[], array[1], interval '1 minute');
select ok((select expires_at > clock_timestamp() + interval '50 minutes' from queues.running where task_id = :id), 'it lasts as long as before');
select * from finish();
rollback;
