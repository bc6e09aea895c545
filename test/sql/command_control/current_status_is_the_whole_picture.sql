begin;
select plan(9);
set local client_min_messages = error;
select worker.register_command('shown', 'test.act', 'trees', p_status_type => 'is_showing');
select worker.enqueue('shown', '{"info": {"own": 1}, "children": [{"n": 1}, {"n": 2}, {"raise": "P0001"}]}') as tree, worker.enqueue('shown') as next, worker.enqueue('act', '{"raise": "P0001"}') as failed \gset
select test.run_command(:tree), test.run_command(:failed);
select test.run_command((test.children(:tree))[1]), test.run_command((test.children(:tree))[3]);
select worker.current_status() as s \gset
select is(:'s'::jsonb #> '{queues,trees,counts}', '{"waiting": 1, "pending": 1}', 'counts of a queue');
select is(:'s'::jsonb #> '{commands,act,counts}', '{"pending": 1, "failed": 2}', 'counts of a command, with what failed lately');
select is(jsonb_array_length(:'s'::jsonb->'trees'), 1, 'the trees that run');
select is(:'s'::jsonb #> '{trees,0,id}', to_jsonb(:tree), 'this one');
select is(:'s'::jsonb #> '{trees,0,children}', '{"open": 1, "completed": 1, "failed": 1}', 'with its children');
select is(:'s'::jsonb #> '{trees,0,info}', '{"own": 1}', 'and its info');
select is(:'s'::jsonb->'status', '{"is_showing": true}', 'the flag is on');
call worker.process_tasks();
select is(worker.current_status()->'status', '{"is_showing": false}', 'and off');
select is(worker.current_status()->'trees', '[]', 'when all is done');
select * from finish();
rollback;
