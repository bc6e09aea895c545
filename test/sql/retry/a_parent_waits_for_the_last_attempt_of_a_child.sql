begin;
select plan(11);
select queues.set_retry_policy('command', 'act', 3, '[10]');
select worker.enqueue('plain') as alone \gset
select worker.enqueue('tree', '{"children": [{"succeeds_at": 2, "info": {"n": 5}}, {"info": {"n": 1}}]}') as id \gset
select test.run_command(:id);
select (test.children(:id))[1] as one, (test.children(:id))[2] as other \gset
select is(test.run_command(:one), 'failed', 'a child fails');
select internal.last_attempt(:one) as two \gset
select is((select (parent_id, depth)::text from queues.task where task_id = :two), format('(%s,1)', :id), 'its next attempt is a child of the same parent');
select is(worker.has_failed_siblings(:other), false, 'a failure that is tried again is none for its siblings');
select is(test.run_command(:other), 'succeeded', 'the other child ends');
select is(test.state(:id), 'waiting', 'the parent waits');
select is(test.run_command(:two), 'succeeded', 'the second attempt succeeds');
select is(test.run_command(:id), 'succeeded', 'and so does the parent');
select is(test.info(:id), '{"n": 6}', 'each child counts once');

select worker.enqueue('tree', '{"children": [{"raise": "P0001"}]}', p_max_attempts => 5) as failing \gset
select queues.set_test_clock(now());
call worker.process_tasks(p_ahead => interval '1 hour');
select is((select count(*) from queues.task_chain as c join queues.task as t using (task_id) where t.parent_id = :failing and c.outcome = 'failed'), 3::bigint, 'a child that never succeeds uses its attempts up');
select is(test.state(:failing) || internal.last_attempt(:failing), 'failed' || :failing, 'its parent has failed, and is not run again: its handler succeeded');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
