begin;
select plan(5);
select test.enqueue() as id \gset
select test.lease(:id);
select is(queues.cancel_task(:id, 'stop'), 'requested', 'requested');
select is((select (requested_by, reason)::text from queues.task_cancel_requested where task_id = :id), '(postgres,stop)', 'a fact');
select is(queues.cancel_task(:id, 'stop!'), 'requested', 'twice');
select is((select count(*) from queues.task_cancel_requested where task_id = :id), 1::bigint, 'one fact');
select is(test.place(:id), 'running', 'it runs on');
select * from finish();
rollback;
