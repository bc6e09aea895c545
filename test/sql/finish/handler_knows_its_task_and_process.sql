begin;
select plan(2);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'succeeded');
select is((select detail->'task' from test.effect where what = 'success'), to_jsonb(:id), 'current_task_id in the handler');
select is(queues.current_task_id(), null, 'nothing afterwards');
select * from finish();
rollback;
