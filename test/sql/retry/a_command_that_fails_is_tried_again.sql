begin;
select plan(15);
select worker.enqueue('hooked', '{"succeeds_at": 3}', p_priority => 4, p_max_attempts => 4, p_backoff => '[10]') as one \gset
select is(test.run_command(:one), 'failed', 'the first attempt fails');
select internal.last_attempt(:one) as two \gset
select is((select (retry_of, attempt, max_attempts, chain_id, priority, payload)::text from queues.task join queues.task_attempt using (task_id) where task_id = :two),
          (select row(:one::bigint, 2::smallint, 4::smallint, :one::bigint, 4::bigint, payload)::text from queues.task where task_id = :one), 'the second takes over its work');
select is(test.run_command(:two), 'failed', 'the second fails');
select is(test.run_command(internal.last_attempt(:one)), 'succeeded', 'the third succeeds');
select is((select array_agg(attempt || ' ' || outcome order by attempt)::text from queues.task_chain where chain_id = :one), '{"1 failed","2 failed","3 succeeded"}', 'one story');
select is(cardinality(test.calls('hook_before')) || ' ' || cardinality(test.calls('hook_after')), '3 3', 'the hooks of each attempt run');
select is(queues.task_result(:one)->>'outcome', 'succeeded', 'the result is that of the chain');

select worker.enqueue('act', '{"raise": "P0001"}') as without \gset
select queues.set_retry_policy('type', 'command', 2), queues.set_retry_policy('command', 'act', _backoff => '[100]', _max_attempts => 3);
select test.run_command(:without);
select is((select (max_attempts, backoff)::text from queues.task_attempt where task_id = internal.last_attempt(:without)), '(3,[100])', 'the policy of a command wins over the one of all commands');
select is(test.run_command(worker.enqueue('plain')), 'succeeded', 'a success needs no policy');
select worker.enqueue('act', '{"raise": "QU011"}') as final \gset
select is(test.run_command(:final), 'failed', 'a handler says that it is hopeless');
select is(internal.last_attempt(:final), :final, 'it is not tried again');
select worker.enqueue('hooked', '{"before": "QU011"}') as before \gset
select test.run_command(:before);
select is(internal.last_attempt(:before), :before, 'nor if the before hook says so');
select throws_ok($$select queues.set_retry_policy('command', 'none', 2)$$, '42704', 'command "none" is not registered', 'a command that does not exist');
select throws_ok($$select worker.enqueue('act', p_max_attempts => 0)$$, '22023', 'max_attempts 0 is not between 1 and 1000', 'a bad number');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
