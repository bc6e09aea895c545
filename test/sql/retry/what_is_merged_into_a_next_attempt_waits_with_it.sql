begin;
select plan(9);
select queues.set_retry_policy('command', 'merged', 3, '[600]');
update worker.command_registry set handler_procedure = 'test.act' where command = 'merged';
select worker.enqueue('merged', '{"kind": "a", "ids": [1], "succeeds_at": 2}') as one \gset
select worker.enqueue('merged', '{"kind": "a", "ids": [2]}');
select is(test.run_command(:one), 'failed', 'a run with a merge fails');
select internal.last_attempt(:one) as two \gset
select is((select payload->'ids' from queues.task where task_id = :two), '[1, 2]', 'the next attempt has what was merged in');
select is(worker.enqueue('merged', '{"kind": "a", "ids": [3]}', p_priority => -5), :two, 'a duplicate is merged into the next attempt');
select internal.rehome_merges(); -- as claims do
select ok((select available_at from queues.ready where task_id = :two) > now() + interval '8 minutes', 'and does not shorten its wait');
select is((select priority from queues.ready where task_id = :two), -5::bigint, 'but makes it more urgent');
select is(test.run_command(:two), 'succeeded', 'the second attempt runs');
select is((select detail->'ids' from test.effect where what = 'act'), '[1, 2, 3]', 'with everything');

select queues.enqueue('db_function', '{"db_function": "test.raises"}', _dedup_key => 'k', _max_attempts => 5, _backoff => '[600]') as f \gset
select test.run(:f);
select is(queues.enqueue('db_function', '{"n": 2}', _dedup_key => 'k', _dedup_policy => 'merge'), internal.last_attempt(:f), 'other tasks are merged likewise');
select ok((select available_at from queues.ready where task_id = internal.last_attempt(:f)) > now() + interval '8 minutes', 'their wait holds too');
select * from finish();
rollback;
