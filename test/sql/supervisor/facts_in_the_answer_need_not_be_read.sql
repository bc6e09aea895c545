-- A supervisor that always returns its facts is marked in the registry; its facts function is for people.
begin;
select plan(4);
create or replace function test.facts(_id bigint) returns jsonb language plpgsql stable security definer
as $$ begin raise exception 'read for nothing'; end $$;
select test.process(1, 'again', 'test.supervise_with_facts');
update test.script set facts = '{"n": 7}' where id = 1;
select test.run_ticks(test.process_id(1, 'test.supervise_with_facts'), 1);
select is((select failed from queues.process_run), true, 'not marked: they are read before the run');
update internal.allowed_function set returns_facts = true where function_name = 'test.supervise_with_facts';
select test.run_ticks(test.process_id(1, 'test.supervise_with_facts'), 1);
select is((select (failed, facts)::text from queues.process_run where run_no = 2), '(f,"{""n"": 7}")', 'marked: the answer brings them');
select is((select array_agg(function_name order by function_name) from internal.allowed_function where returns_facts and function_name not like 'test.%'),
          array['comms.email_send_supervisor', 'comms.send_email_supervisor', 'comms.send_sms_supervisor', 'comms.sms_send_supervisor', 'files.file_deletion_supervisor'], 'ours are');
select ok((select bool_and(facts_function is not null) from internal.allowed_function where returns_facts), 'and have a facts function all the same');
select * from finish();
rollback;
