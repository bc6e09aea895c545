begin;
select plan(20);
select queues.set_test_clock('2030-01-01 09:00+00');
create function pg_temp.success(_original jsonb, _more jsonb default '{"worker_payload": {"id": "p"}}') returns text language sql
as $$ select comms.record_email_success(jsonb_build_object('original_payload', _original) || _more)->>'status' $$;
create function pg_temp.failure(_original jsonb, _more jsonb default '{"error": "e"}') returns text language sql
as $$ select comms.record_email_failure(jsonb_build_object('original_payload', _original) || _more)->>'status' $$;
select is(pg_temp.success('{}'), 'missing_send_email_attempt_id', 'success: no id');
select is(pg_temp.success('{"send_email_attempt_id": 999999}'), 'attempt_not_found', 'success: no attempt');
select is(comms.record_email_success('{"send_email_attempt_id": 1}')->>'status', 'missing_send_email_attempt_id', 'success: the id is in the original payload');
select is(pg_temp.failure('{}'), 'missing_send_email_attempt_id', 'failure: no id');
select is(pg_temp.failure('{"send_email_task_id": 999999}'), 'attempt_not_found', 'failure: no attempt');

-- Failure, then a late success of the same attempt.
select test.start_email() as id \gset
select max(send_email_attempt_id) as a from comms.send_email_attempt \gset
select is(pg_temp.failure(jsonb_build_object('send_email_attempt_id', :a::bigint), '{"error": "e", "error_class": "server"}'), 'succeeded', 'a failure');
select is((select (error_message, in_doubt, error_class, created_at)::text from comms.send_email_attempt_failed), '(e,f,server,"2030-01-01 09:00:00+00")', 'is written with its class');
select is(pg_temp.failure(jsonb_build_object('send_email_attempt_id', :a::bigint), '{"error": "other"}'), 'succeeded', 'a second time');
select is((select array_agg(error_message) from comms.send_email_attempt_failed), array['e'], 'it changes nothing');
select is(pg_temp.success(jsonb_build_object('send_email_attempt_id', :a::bigint)), 'succeeded', 'a late success is no failure of the handler');
select is((select count(*) from comms.send_email_attempt_succeeded), 0::bigint, 'but is not counted');
select is((select (error_message, source)::text from queues.error),
          format('("attempt %s succeeded, but is recorded as failed; the success is not counted",success_handler)', :a), 'it is an error fact');

-- Success, then a late failure.
select test.start_email() as id2 \gset
select max(send_email_attempt_id) as b from comms.send_email_attempt \gset
select is(pg_temp.success(jsonb_build_object('send_email_attempt_id', :b::bigint), '{"worker_payload": {"id": null}}'), 'succeeded', 'a success');
select is((select provider_id from comms.send_email_attempt_succeeded), null, 'of a provider that gave no id');
select is(pg_temp.failure(jsonb_build_object('send_email_attempt_id', :b::bigint)), 'succeeded', 'a late failure');
select is((select count(*) from comms.send_email_attempt_failed as f where f.send_email_attempt_id = :b), 0::bigint, 'is not written');

-- Only the id of the task: the newest attempt that is out.
select test.start_email() as id3 \gset
select max(send_email_attempt_id) as c from comms.send_email_attempt \gset
select is(pg_temp.failure(jsonb_build_object('send_email_task_id', :id3::bigint), '{"error": "x", "in_doubt": true}'), 'succeeded', 'the task''s id will do');
select is((select (error_message, in_doubt)::text from comms.send_email_attempt_failed as f where f.send_email_attempt_id = :c), '(x,t)', 'for the attempt that is out');
select comms.schedule_email_attempt(:id3) as d \gset
select pg_temp.success(jsonb_build_object('send_email_task_id', :id3::bigint)), pg_temp.success(jsonb_build_object('send_email_task_id', :id3::bigint));
select is((select count(*) from comms.send_email_attempt_succeeded as s where s.send_email_attempt_id = :d), 1::bigint, 'and no other');
select is((select count(*) from comms.send_email_attempt_succeeded as s join comms.send_email_attempt_failed as f using (send_email_attempt_id)), 0::bigint, 'no attempt has two outcomes');
select * from finish();
rollback;
