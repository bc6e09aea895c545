begin;
select plan(8);
set local client_min_messages = error;
select internal.allow_function('test.raises');
select test.run(test.enqueue('test.raises')) from generate_series(1, 5);
select act_id as old from queues.preview_bulk('task_retry', 'failed') \gset
select queues.run_bulk(:old);
select act_id as preview from queues.preview_bulk('task_retry', 'failed') \gset
select test.unguard('queues.bulk_act');
update queues.bulk_act set made_at = now() - interval '2 days' where act_id = :preview;
select queues.prune();
select is((select array_agg(act_id) from queues.bulk_act), array[:old::bigint], 'a preview that nobody used is removed after a day');
update queues.bulk_act set made_at = now() - interval '400 days';
select queues.prune(_limit => 2);
select is((select count(*) from queues.bulk_act), 0::bigint, 'an old act is removed');
select is((select count(*) from queues.bulk_started) + (select count(*) from queues.bulk_scan), 0::bigint, 'with its facts');
select is((select count(*) from queues.bulk_target), 3::bigint, 'its ids go in parts');
select is((select count(*) from queues.bulk_done), 3::bigint, 'with their results');
select queues.prune();
select is((select count(*) from queues.bulk_target) + (select count(*) from queues.bulk_done), 0::bigint, 'until none is left');
select act_id as young from queues.preview_bulk('task_retry', 'failed') \gset
select queues.prune();
select is((select count(*) from queues.bulk_act), 1::bigint, 'a young preview stays');
select is((select count(*) from internal.pruning), 0::bigint, 'the gate is shut again');
select * from finish();
rollback;
