begin;
select plan(12);
select test.enqueue() as held \gset
select test.enqueue() as cancelled \gset
select test.enqueue() as lost \gset
select test.enqueue() as done \gset
select test.lease(:held), test.lease(:cancelled), test.lease(:lost), test.lease(:done);
select queues.cancel_task(:cancelled);
select test.expire(:lost), test.take_back();
select outcome from queues.execute(test.worker(), :done, 1);
create temp table answer as select * from queues.renew(test.worker(), array[:held, :cancelled, :lost, :done]::bigint[], array[1, 1, 1, 1], interval '10 minutes');
select is((select state from answer where task_id = :held), 'renewed', 'held');
select is((select state from answer where task_id = :cancelled), 'cancel_requested', 'held, and asked to stop');
select is((select state from answer where task_id = :lost), 'lost', 'taken back');
select is((select state from answer where task_id = :done), 'lost', 'completed');
select ok((select expires_at > clock_timestamp() + interval '9 minutes' from queues.running where task_id = :held), 'the lease is longer');
select is((select count(*) from queues.task_lease_renewed where task_id = :held and lease_no = 1), 1::bigint, 'a renewal fact');
select is((select state from queues.renew(test.worker('two'), array[:held]::bigint[], array[1])), 'unknown', 'another worker never held it');
select is((select state from queues.renew(test.worker(), array[:held]::bigint[], array[2])), 'unknown', 'nor was there another number');
select throws_ok($$select queues.renew(test.worker(), array[1]::bigint[], array[1, 2])$$, '22023', null, 'arrays of different length');
select throws_ok($$select queues.renew(test.worker(), '{}', '{}', interval '0')$$, '22023', null, 'lease out of range');
select is(test.lease(:lost), 2, 'what was lost is claimed again');
select results_eq(format('select lease_no, state from queues.renew(test.worker(), array[%1$s, %1$s]::bigint[], array[1, 2]) order by 1', :lost),
                  $$values (1, 'lost'), (2, 'renewed')$$, 'of two leases of one task only the newest is held');
select * from finish();
rollback;
