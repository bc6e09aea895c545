-- Superseded, quarantined and cancelled work has ended; timed out work has failed; what is in doubt follows on_in_doubt.
begin;
select plan(12);
create function test.next_of(_task_id bigint) returns bigint language sql volatile as $$ select count(*) from queues.task where retry_of = _task_id $$;
-- superseded
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _dedup_key => 'k', _max_attempts => 3) as old \gset
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _dedup_key => 'k', _dedup_policy => 'replace', _max_attempts => 3) as new \gset
select is((select (test.outcome(:old), test.next_of(:old))::text), '(superseded,0)', 'superseded');
-- an attempt that waits is replaced like every waiting task, and its chain ends there
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _dedup_key => 'r', _max_attempts => 3) as one \gset
select test.run(:one);
select internal.last_attempt(:one) as two \gset
select queues.enqueue('db_function', '{"db_function": "test.ok", "n": 2}', _dedup_key => 'r', _dedup_policy => 'replace') as other \gset
select is((select (test.outcome(:two), test.next_of(:two))::text), '(superseded,0)', 'a waiting attempt is replaced');
select is((select (retry_of, dedup_key)::text from queues.task where task_id = :other), '(,r)', 'by a task that is no attempt');
select is((select string_agg(outcome, ' ' order by attempt) from queues.task_chain where chain_id = :one), 'failed superseded', 'the chain tells it');
-- quarantined
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_crashes => 1, _max_attempts => 3) as crashed \gset
select test.lease(:crashed);
select test.expire(:crashed);
set local client_min_messages = error;
select test.take_back();
select is((select (test.outcome(:crashed), test.next_of(:crashed))::text), '(quarantined,0)', 'quarantined');
-- timed out: the worker reports a failure
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_attempts => 3) as slow \gset
select test.lease(:slow);
select queues.finish(test.worker(), :slow, 1, 'failed', null, 'timed out after 1 s', '57014');
select is((select (test.outcome(:slow), test.next_of(:slow))::text), '(failed,1)', 'timed out');
-- in doubt, told by the worker
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}}', _on_in_doubt => 'retry', _max_attempts => 3) as again \gset
select test.dispatch(:again);
select queues.finish(test.worker(), :again, 1, 'in_doubt', null, 'in doubt: no answer', 'in_doubt');
select is((select (test.outcome(:again), test.next_of(:again))::text), '(failed,1)', 'in doubt, and its type says retry');
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}}', _on_in_doubt => 'fail', _max_attempts => 3) as never \gset
select test.dispatch(:never);
select queues.finish(test.worker(), :never, 1, 'in_doubt', null, 'in doubt: no answer', 'in_doubt');
select is((select (test.outcome(:never), test.next_of(:never))::text), '(in_doubt,0)', 'in doubt, and its type says fail');
-- in doubt, because the worker died
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}}', _on_in_doubt => 'fail', _max_attempts => 3) as dead \gset
select test.dispatch(:dead);
select test.expire(:dead);
select test.take_back();
select test.dispatch(:dead);
select queues.finish(test.worker(), :dead, 2, 'stored');
select is((select (test.outcome(:dead), test.next_of(:dead))::text), '(in_doubt,0)', 'a worker died, and its type says fail');
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}}', _on_in_doubt => 'retry', _max_attempts => 3) as alive \gset
select test.dispatch(:alive);
select test.expire(:alive);
select test.take_back();
select is((select (test.place(:alive), test.next_of(:alive))::text), '(ready,0)', 'a worker died, and its type says retry: sent again, as the same attempt');
-- the final statuses of a function replace those of its type
select queues.set_retry_policy('type', 'db_function', 3, _final_statuses => '{odd}'), queues.set_retry_policy('function', 'test.answer', _final_statuses => '{even}');
select test.enqueue('test.answer', '{"answer": {"status": "odd"}}') as odd, test.enqueue('test.answer', '{"answer": {"status": "even"}}') as even \gset
select test.run(:odd), test.run(:even);
select is((select (test.next_of(:odd), test.next_of(:even))::text), '(1,0)', 'a status that only its type names is not final');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
