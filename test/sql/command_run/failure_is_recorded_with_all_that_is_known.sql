begin;
select plan(7);
select worker.enqueue('act', '{"raise": "22012"}') as id \gset
select is(test.run_command(:id), 'failed', 'it fails');
select is(test.state(:id), 'failed', 'and reads so');
select is(test.error_of(:id), E'Error: act boom\nContext: PL/pgSQL function test.act(jsonb,jsonb) line 5 at RAISE\nDetail: why\nHint: what now', 'message, context, detail and hint');
select is((select sqlstate from queues.error where task_id = :id), '22012', 'the SQLSTATE is a column');
select is(test.effects('act'), 0::bigint, 'its work is undone');
select is((select count(*) from queues.error where task_id = :id), 1::bigint, 'one fact');
select internal.set_config('error_detail', 'false');
select worker.enqueue('act', '{"raise": "22012"}') as id \gset
select test.run_command(:id);
select unalike(test.error_of(:id), '%why%', 'the detail can be left out');
select * from finish();
rollback;
