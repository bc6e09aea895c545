begin;
select plan(4);
select worker.enqueue('act', '{"info": [1]}') as bad, worker.enqueue('act', '{"info": null}') as none \gset
select is(test.run_command(:bad), 'succeeded', 'the run succeeded');
select is(test.info(:bad), null, 'without info');
select is((select error_message from queues.error where task_id = :bad), 'info must be a JSON object, not array; it was ignored', 'which is a fact');
select is(array[test.run_command(:none), test.info(:none)::text], array['succeeded', null], 'null is none');
select * from finish();
rollback;
