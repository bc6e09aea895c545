begin;
select plan(4);
select test.enqueue_email('{"before": "answer", "answer": {"status": "already_done"}}') as id \gset
select is(test.dispatch(:id), 'completed', 'nothing is sent');
select is(test.outcome(:id), 'succeeded', 'succeeded');
select is(test.effects('success'), 1::bigint, 'the success handler runs');
select is((select count(*) from queues.task_dispatched), 0::bigint, 'no dispatch');
select * from finish();
rollback;
