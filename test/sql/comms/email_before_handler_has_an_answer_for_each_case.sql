begin;
select plan(12);
select queues.set_test_clock();
create function pg_temp.says(_payload jsonb) returns text language sql as $$ select comms.get_email_payload(_payload)->>'status' $$;
select is(pg_temp.says('{}'), 'missing_send_email_attempt_id', 'no id');
select is(pg_temp.says('{"send_email_attempt_id": "x"}'), 'missing_send_email_attempt_id', 'none that is one');
select is(pg_temp.says('{"send_email_attempt_id": 999999}'), 'attempt_not_found', 'no such attempt');
select is(pg_temp.says('{"send_email_task_id": 999999}'), 'attempt_not_found', 'a task without an attempt');
select test.start_email() as id \gset
select send_email_attempt_id as attempt from comms.send_email_attempt \gset
select is(comms.get_email_payload(jsonb_build_object('send_email_attempt_id', :attempt::bigint)), jsonb_build_object('status', 'succeeded', 'payload',
    jsonb_build_object('message_id', (select message_id from comms.message), 'from_address', 'a@example.org', 'to_address', 'b@example.org',
    'subject', 'Hello', 'html', '<p>hi</p>', 'idempotency_key', 'send_email/' || (select task_uuid from comms.send_email_task))), 'what the provider needs');
select is(pg_temp.says(jsonb_build_object('send_email_task_id', :id::bigint)), 'succeeded', 'the task''s id will do');
-- The content is gone: nothing is sent, and the attempt fails with the handler's word.
delete from comms.email_message;
select is(pg_temp.says(jsonb_build_object('send_email_attempt_id', :attempt::bigint)), 'email_message_not_found', 'no content');
select is(queues.simulate(test.email_task()), 'completed', 'its task ends');
select is((select count(*) from queues.task_dispatched), 0::bigint, 'the provider is not called');
select is((select (error_message, error_class)::text from comms.send_email_attempt_failed),
          '("before handler comms.get_email_payload returned status: email_message_not_found",handler)', 'and the failure says why');
-- A second attempt while the first one succeeds after all.
insert into comms.email_message select message_id, 'a@x', 'b@x', 's', 'h' from comms.message;
select comms.schedule_email_attempt(:id) as second \gset
select comms.schedule_email_attempt(:id) as third \gset
select comms.record_email_success(jsonb_build_object('original_payload', jsonb_build_object('send_email_attempt_id', :second::bigint)));
select is(pg_temp.says(jsonb_build_object('send_email_attempt_id', :third::bigint)), 'already_done', 'what was sent is not sent again');
select is((select queues.simulate(a.task_id) || ' ' || test.outcome(a.task_id) from comms.send_email_attempt as a where a.send_email_attempt_id = :third), 'completed succeeded', 'its task succeeds without a call');
select * from finish();
rollback;
