begin;
select plan(5);
set local client_min_messages = error;
create procedure test.forgets(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform worker.spawn('plain', '{}', worker.current_task_id());
    perform set_config('reeve.report', '', true); -- as "reset all" does
end $$;
select worker.register_command('forgets', 'test.forgets', 'default');
select worker.enqueue('forgets') as id, worker.enqueue('plain') as plain \gset
select test.lease(:id), test.lease(:plain);
-- As queues.execute_batch, with enough time for both on a busy machine.
select count(*) from internal.run_batch(test.worker(), array[:id, :plain]::bigint[], array[1, 1], interval '1 hour', false);
select is(test.state(:plain), 'completed', 'a command without children has ended');
select is(test.state(:id), 'waiting', 'the parent waits');
select is(test.run_command((test.children(:id))[1]), 'succeeded', 'its child runs');
select is(test.state(:id), 'completed', 'and ends it');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
