begin;
select plan(2);
select test.process(1, 'child') as id \gset
select test.process_id(1) as process \gset
select test.run(:id);
select is((select parent_process_id from queues.process where process_id = test.process_id(9001)), :process::bigint, 'its parent is the process of the run');
select is((select enqueued from queues.process_run where process_id = :process), 1, 'the child''s run is counted');
select * from finish();
rollback;
