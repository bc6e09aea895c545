begin;
select plan(4);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select is((select (supervisor, ids)::text from queues.process where process_id = :process), '(test.supervise,"{""id"": 1}")', 'the ids are the registered keys');
select ok((select is_supervisor_run and process_id = :process from queues.task where task_id = :id), 'the task is a run of it');
select test.enqueue('test.supervise', '{"id": 1, "more": true}');
select is((select count(*) from queues.process), 1::bigint, 'another payload with the same ids is the same process');
select is((select state from queues.process_state where process_id = :process), 'live', 'the process is live');
select * from finish();
rollback;
