begin;
select plan(14);
select queues.set_test_clock();
create function pg_temp.run(_id jsonb) returns text language sql
as $$ select files.file_deletion_supervisor(jsonb_build_object('file_deletion_task_id', _id))->>'status' $$;
select is(files.file_deletion_supervisor('{}')->>'status', 'missing_file_deletion_task_id', 'no id');
select is(pg_temp.run('"x"'), 'missing_file_deletion_task_id', 'a word');
select is(pg_temp.run('0'), 'missing_file_deletion_task_id', 'zero');
select is(pg_temp.run('-7'), 'missing_file_deletion_task_id', 'a negative number');
select is(pg_temp.run('999999'), 'file_deletion_task_not_found', 'no such task');
select created_file_id as file from files.create_file('b', 'k') \gset
insert into files.file_deletion_task (file_id) values (:file) returning file_deletion_task_id as id \gset
create temp table answer as select files.file_deletion_supervisor(jsonb_build_object('file_deletion_task_id', :id::bigint)) as a;
select is((select a->>'status' from answer), 'scheduled', 'an attempt is made');
select is((select a #> '{payload,facts}' from answer),
          '{"is_deleted": false, "has_success": false, "num_failures": 0, "num_attempts": 0, "num_scheduled": 0, "num_lost": 0}', 'and the answer carries the facts');
select is(pg_temp.run(to_jsonb(:id::bigint)), 'scheduled', 'while it is out');
select is((select count(*) from files.file_deletion_attempt), 1::bigint, 'no second one is made');
select is((select (files.has_file_deletion_succeeded_attempt(:id), files.count_file_deletion_failed_attempts(:id), files.count_file_deletion_attempts(:id))::text), '(f,0,1)', 'one by one');
select files.mark_file_deleted(:file);
select is(pg_temp.run(to_jsonb(:id::bigint)), 'already_deleted', 'somebody else has deleted it');
insert into files.file_deletion_attempt_succeeded (file_deletion_attempt_id) select file_deletion_attempt_id from files.file_deletion_attempt;
select is(pg_temp.run(to_jsonb(:id::bigint)), 'succeeded', 'it was this task');
select is((select count(*) from queues.ready as r where r.is_supervisor_run), 2::bigint, 'ends enqueue nothing');
select is((select (files.has_file_deletion_succeeded_attempt(:id), files.count_file_deletion_failed_attempts(:id), files.count_file_deletion_attempts(:id))::text), '(t,0,1)', 'one by one');
select * from finish();
rollback;
