begin;
select plan(7);
select test.enqueue() as id \gset
select task_id from queues.dequeue_next_available_task();
select queues.fail_task(:id, 'one'), queues.fail_task(:id, null), queues.fail_task(:id, 'three');
select is((select array_agg(error_message order by error_id) from queues.error where task_id = :id), array['one', '', 'three'], 'three facts, null as empty text');
select is((select array_agg(distinct lease_no) from queues.error where task_id = :id), array[1], 'of this lease');
select is(test.place(:id), 'running', 'the lease runs on');
select test.expire(:id);
select is((select task_id from queues.dequeue_next_available_task()), :id, 'claimable after its end');
select is(queues.complete_task(:id), 'completed', 'a later lease without a failure');
select is(test.outcome(:id), 'succeeded', 'succeeds');
select throws_ok($$select queues.fail_task(999999999, 'x')$$, 'P0002', null, 'unknown task');
select * from finish();
rollback;
