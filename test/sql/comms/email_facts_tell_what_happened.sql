begin;
select plan(12);
select created_message_id as message from comms.create_email_message('a@x', 'b@x', 's', 'h') \gset
insert into comms.send_email_task (message_id) values (:message) returning send_email_task_id as id \gset
create function pg_temp.facts(_id bigint) returns text language sql as $$ select f::text from comms.send_email_supervisor_facts(_id) as f $$;
create function pg_temp.counts(_id bigint) returns text language sql
as $$ select concat_ws(',', comms.has_send_email_succeeded_attempt(_id), comms.count_send_email_failed_attempts(_id), comms.count_send_email_attempts(_id)) $$;
-- has_success, num_failures, num_attempts, num_scheduled, num_lost, num_in_doubt
select is(pg_temp.facts(:id), '(f,0,0,0,0,0)', 'nothing');
select is(pg_temp.counts(:id), 'f,0,0', 'nothing, one by one');
select is(pg_temp.facts(0), '(f,0,0,0,0,0)', 'of no task there are none either');
select is(pg_temp.facts(null), '(f,0,0,0,0,0)', 'nor of null');
select comms.schedule_email_attempt(:id) as a \gset
select is(pg_temp.facts(:id), '(f,0,1,1,0,0)', 'an attempt is out');
select is(pg_temp.counts(:id), 'f,0,1', 'and counted');
insert into comms.send_email_attempt_failed (send_email_attempt_id, error_message, in_doubt) values (:a, 'x', true);
select is(pg_temp.facts(:id), '(f,1,1,1,0,1)', 'it failed, in doubt');
select comms.schedule_email_attempt(:id) as b \gset
select test.unguard('comms.send_email_attempt');
update comms.send_email_attempt set task_id = 0 where send_email_attempt_id = :b;
select is(pg_temp.facts(:id), '(f,1,2,2,1,1)', 'one whose task is gone is lost');
insert into comms.send_email_attempt_succeeded (send_email_attempt_id) values (:b);
select is(pg_temp.facts(:id), '(t,1,2,2,0,1)', 'unless it has an outcome');
select is(pg_temp.counts(:id), 't,1,2', 'one by one');
select is(test.sqlstate_as('queues_operator', format('select comms.send_email_supervisor_facts(%s)', :id)), '00000', 'operators may ask');
select is((select provolatile::text from pg_proc where oid = 'comms.send_email_supervisor_facts'::regproc), 's', 'asking changes nothing');
select * from finish();
rollback;
