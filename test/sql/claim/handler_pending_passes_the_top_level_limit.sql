begin;
select plan(2);
select queues.create_queue('tree', null, 1);
select queues.enqueue('email', '{"before_handler": "test.before", "success_handler": "test.success", "on_success": "raise"}', _queue => 'tree') as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'succeeded');
select test.enqueue(_queue => 'tree') as other \gset
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'it holds the only place');
select test.make_due(:id);
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10)), array[:id]::bigint[], 'and may be claimed itself');
select * from finish();
rollback;
