begin;
select plan(11);
create temp table mail as select w.what, case w.what when 'none' then queues.enqueue('email', '{"before_handler": "test.before"}')
    else test.enqueue_email(w.more) end as id from (values
    ('plain', '{}'::jsonb), ('raises', '{"on_success": "raise"}'), ('none', null),
    ('failed', '{}'), ('remark', '{}')) as w(what, more);
select test.dispatch(id) from mail;
create temp table answer as select a.*, m.what from queues.finish_batch(test.worker(), (select array_agg(id order by id) from mail),
    array[1, 1, 1, 1, 1], array['succeeded', 'succeeded', 'succeeded', 'failed', 'succeeded'],
    array['{"n": 1}', '{"n": 2}', '{"n": 3}', null, '{"n": 5}']::jsonb[], array[null, null, null, 'no', 'odd'],
    array[null, null, null, 'refused', null]) as a join mail as m on m.id = a.task_id;
select is((select string_agg(what || '=' || result, ' ' order by task_id) from answer),
          'plain=completed raises=handler_failed none=completed failed=completed remark=completed', 'answers');
select is((select string_agg(what || '=' || coalesce(test.outcome(id), '-'), ' ' order by id) from mail),
          'plain=succeeded raises=- none=succeeded failed=failed remark=succeeded', 'outcomes');
select is((select result from queues.task_completed join mail on id = task_id where what = 'plain'), '{"n": 1}', 'result');
select is((select started_at = leased_at from queues.task_completed as c join queues.task_lease using (task_id) join mail on id = c.task_id where what = 'plain'), true, 'start');
select is((select (how, outcome, result)::text from queues.task_lease_ended join mail on id = task_id where what = 'raises'),
          '(handler_failed,succeeded,"{""n"": 2}")', 'the result of a failed handler is kept');
select is((select (error_message, sqlstate, source)::text from queues.error join mail on id = task_id where what = 'raises'),
          '("success handler test.success failed: handler boom",P0001,success_handler)', 'with what it said');
select is((select test.last_error(id) from mail where what = 'remark'), 'odd', 'a success may bring a remark');
select is((select detail->'worker_payload' from test.effect where what = 'success' order by effect_id limit 1), '{"n": 1}', 'the handler got the result');
select is(test.effects('success'), 2::bigint, 'handlers ran once each');
select is(test.effects('error'), 1::bigint, 'and the error handler');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
