begin;
select plan(2);
select test.enqueue('test.answer', jsonb_build_object('answer', jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('a', repeat('x', 70000))))) as id \gset
select is(test.run(:id), 'succeeded', 'it succeeds');
select ok((select octet_length(result::text) < 65536 from queues.task_completed where task_id = :id), 'the result is bounded');
select * from finish();
rollback;
