begin;
select plan(8);
create function pg_temp.try(_function text, _more jsonb) returns bigint language sql as $$
    select queues.enqueue('db_function', jsonb_build_object('db_function', _function) || _more, _max_attempts => 3, _backoff => '{"kind": "constant", "base": 5, "jitter": 0}') $$;
create function pg_temp.wait(_id bigint) returns numeric language sql as $$
    select round(extract(epoch from t.scheduled_at - c.completed_at)::numeric, 1) from queues.task as t join queues.task_completed as c on c.task_id = t.retry_of where t.retry_of = _id $$;
select pg_temp.try('test.answer', '{"answer": {"status": "failed", "retry_after": 30}}') as asks, pg_temp.try('test.answer', '{"answer": {"status": "failed", "final": true}}') as final,
       pg_temp.try('test.answer', '{"answer": {"validation_failure_message": "no such order"}}') as invalid, pg_temp.try('test.raises', '{"sqlstate": "QU011"}') as raised,
       pg_temp.try('test.answer', '{"answer": {"status": "declined"}}') as declined, pg_temp.try('test.answer', '{"answer": {"status": "failed", "retry_after": "soon"}}') as odd,
       pg_temp.try('test.answer', '{"answer": {"status": "succeeded", "retry_after": 30}}') as well \gset
select test.run(:asks), test.run(:final), test.run(:invalid), test.run(:raised), test.run(:odd), test.run(:well);
select ok(pg_temp.wait(:asks) between 30 and 36, 'retry_after is heard');
select is(pg_temp.wait(:final), null, 'final is final');
select is(pg_temp.wait(:invalid), null, 'what is not valid stays so');
select is(pg_temp.wait(:raised), null, 'QU011 is final');
select is(pg_temp.wait(:odd), 5.0, 'a wait that is no number is not heard');
select is(pg_temp.wait(:well), null, 'a success is not repeated');
select queues.set_retry_policy('function', 'test.answer', _final_statuses => '{declined}');
select test.run(:declined);
select is(pg_temp.wait(:declined), null, 'a status that the function names as final');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
