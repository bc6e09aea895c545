-- A JSON number may be too small or too large for a double precision.  It fails neither when the policy is given nor, worse, when
-- the end of the task is recorded, together with those of its batch.
begin;
select plan(9);
create function pg_temp.fails(_backoff jsonb) returns bigint language sql as $$
    select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 2, _backoff => _backoff) $$;
create function pg_temp.wait(_id bigint) returns interval language sql as $$
    select t.scheduled_at - c.completed_at from queues.task as t join queues.task_completed as c on c.task_id = t.retry_of where t.retry_of = _id $$;
select pg_temp.fails('{"base": 1e-400, "ceiling": 1e-400}') as base, pg_temp.fails('[1e-400]') as list, pg_temp.fails('{"base": 1, "jitter": 1e-400}') as jitter,
       queues.enqueue('db_function', '{"db_function": "test.answer", "answer": {"status": "failed", "retry_after": 1e-400}}', _max_attempts => 2) as small,
       queues.enqueue('db_function', '{"db_function": "test.answer", "answer": {"status": "failed", "retry_after": 1e400}}', _max_attempts => 2) as large,
       queues.enqueue('db_function', '{"db_function": "test.answer", "answer": {"status": "failed", "retry_after": -1e400}}', _max_attempts => 2) as negative \gset
select lives_ok(format('select test.run(%s)', :base), 'a base');
select ok(pg_temp.wait(:base) < interval '5 seconds', 'which is next to none');
select lives_ok(format('select test.run(%s)', :list), 'a wait of a list');
select lives_ok(format('select test.run(%s)', :jitter), 'a jitter');
select lives_ok(format('select test.run(%s)', :small), 'a wait that the function asks for');
select lives_ok(format('select test.run(%s)', :large), 'one that is too long');
select ok(pg_temp.wait(:large) between interval '30 days' and interval '36 days', 'is cut to 30 days');
select lives_ok(format('select test.run(%s)', :negative), 'one before now');
select throws_ok($$select * from queues.retry_delays(3, '{"base": 1e400}')$$, '22023', null, 'a base that is too long is refused');
select * from finish();
rollback;
