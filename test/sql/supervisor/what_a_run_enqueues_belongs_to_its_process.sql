begin;
select plan(2);
select test.process(1, 'spawn') as id \gset
select test.process_id(1) as process \gset
select test.run(:id);
select is((select enqueued from queues.process_run where process_id = :process), 1, 'it is counted');
select is((select count(*) from queues.task where process_id = :process and is_supervisor_run is null and origin_task_id = :id), 1::bigint, 'and carries process and origin');
select * from finish();
rollback;
