-- Row by row of what it decides by; each answer carries the facts.
begin;
select plan(22);
select queues.set_test_clock();
create function pg_temp.run(_id jsonb) returns text language sql
as $$ select comms.send_sms_supervisor(jsonb_build_object('db_function', 'comms.send_sms_supervisor', 'send_sms_task_id', _id))->>'status' $$;
select is(comms.send_sms_supervisor('{}')->>'status', 'missing_send_sms_task_id', 'no id');
select is(comms.send_sms_supervisor(null)->>'status', 'missing_send_sms_task_id', 'no payload');
select is(pg_temp.run('null'), 'missing_send_sms_task_id', 'null');
select is(pg_temp.run('"x"'), 'missing_send_sms_task_id', 'a word');
select is(pg_temp.run('0'), 'missing_send_sms_task_id', 'zero');
select is(pg_temp.run('-1'), 'missing_send_sms_task_id', 'a negative number');
select is(pg_temp.run('1.5'), 'missing_send_sms_task_id', 'a fraction');
select is(pg_temp.run('123456789012345678901234567890'), 'missing_send_sms_task_id', 'a number that is none of ours');
select is(pg_temp.run('[1]'), 'missing_send_sms_task_id', 'an array');
select is(pg_temp.run('999999'), 'send_sms_task_not_found', 'no such task');
select is(pg_temp.run('"999999"'), 'send_sms_task_not_found', 'an id may be a string');
-- Through the queue, where the engine reads the facts before.
select test.enqueue('comms.send_sms_supervisor', '{"send_sms_task_id": "x"}') as bad \gset
select is(test.run(:bad), 'non_success', 'a bad id is no failure of the run');
select is(test.status(:bad), 'missing_send_sms_task_id', 'but says what is missing');
select is(test.end_reason('comms.send_sms_supervisor', '{"send_sms_task_id": "x"}'), 'missing_send_sms_task_id', 'and ends');

select created_message_id as message from comms.create_sms_message('+1', 'b') \gset
insert into comms.send_sms_task (message_id) values (:message) returning send_sms_task_id as id \gset
create temp table answer as select comms.send_sms_supervisor(jsonb_build_object('send_sms_task_id', :id::bigint)) as a;
select is((select a #> '{payload,facts}' from answer), '{"has_success": false, "num_failures": 0, "num_attempts": 0, "num_scheduled": 0, "num_lost": 0, "num_in_doubt": 0}', 'nothing yet');
select is((select a->>'status' from answer), 'scheduled', 'an attempt is made');
select is((select array_agg(t.task_type::text order by t.task_id) from queues.ready as r join queues.task as t using (task_id)), array['sms', 'db_function'], 'and a look later');
select is(pg_temp.run(to_jsonb(:id::bigint)), 'scheduled', 'while it is out');
select is((select count(*) from comms.send_sms_attempt), 1::bigint, 'no second one is made');
select is((select count(*) from queues.ready as r where r.is_supervisor_run), 2::bigint, 'only the look');
insert into comms.send_sms_attempt_succeeded (send_sms_attempt_id) select send_sms_attempt_id from comms.send_sms_attempt;
select is(pg_temp.run(to_jsonb(:id::bigint)), 'succeeded', 'a success ends it');
select is((select count(*) from queues.ready as r where r.is_supervisor_run), 2::bigint, 'without another look');
select * from finish();
rollback;
