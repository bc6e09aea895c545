begin;
select plan(24);
select queues.set_test_clock('2030-01-01 09:00+00');
create function pg_temp.before(_payload jsonb) returns text language sql as $$ select files.get_file_delete_payload(_payload)->>'status' $$;
create function pg_temp.success(_original jsonb) returns text language sql
as $$ select files.record_file_delete_success(jsonb_build_object('original_payload', _original))->>'status' $$;
create function pg_temp.failure(_original jsonb, _more jsonb default '{"error": "e"}') returns text language sql
as $$ select files.record_file_delete_failure(jsonb_build_object('original_payload', _original) || _more)->>'status' $$;
select is(pg_temp.before('{}'), 'missing_file_id', 'before: no id');
select is(pg_temp.before('{"file_id": "x"}'), 'missing_file_id', 'before: none that is one');
select is(pg_temp.before('{"file_id": 999999}'), 'file_not_found', 'before: no file');
select is(pg_temp.success('{}'), 'missing_file_deletion_attempt_id', 'success: no id');
select is(pg_temp.success('{"file_deletion_attempt_id": 999999}'), 'attempt_not_found', 'success: no attempt');
select is(pg_temp.failure('{}'), 'missing_file_deletion_attempt_id', 'failure: no id');
select is(pg_temp.failure('{"file_deletion_task_id": 999999}'), 'attempt_not_found', 'failure: no attempt');
select test.start_deletion('one') as id \gset
select max(file_deletion_attempt_id) as a, max(file_id) as file from files.file_deletion_attempt join files.file_deletion_task using (file_deletion_task_id) \gset
select is(pg_temp.before(jsonb_build_object('file_id', :file::bigint)), 'missing_file_deletion_attempt_id', 'before: no attempt is named');
select is(pg_temp.before(jsonb_build_object('file_id', :file::bigint, 'file_deletion_attempt_id', 999999)), 'attempt_not_found', 'before: no such attempt');
select (files.create_file('b', 'other')).created_file_id as other \gset
select is(pg_temp.before(jsonb_build_object('file_id', :other::bigint, 'file_deletion_attempt_id', :a::bigint)),
          'attempt_of_another_file', 'before: an attempt of another file');
select is(files.get_file_delete_payload(jsonb_build_object('file_id', :file::bigint, 'file_deletion_attempt_id', :a::bigint)), jsonb_build_object('status', 'succeeded', 'payload',
          jsonb_build_object('file_id', :file::bigint, 'bucket', 'b', 'object_key', 'one', 'mime_type', 'audio/mp4')), 'before: which object');
select is(pg_temp.failure(jsonb_build_object('file_deletion_attempt_id', :a::bigint), '{"error": "e", "error_class": "server"}'), 'succeeded', 'a failure');
select is((select (error_message, error_class)::text from files.file_deletion_attempt_failed), '(e,server)', 'is written');
select is(pg_temp.failure(jsonb_build_object('file_deletion_attempt_id', :a::bigint)), 'succeeded', 'a second time');
select is((select count(*) from files.file_deletion_attempt_failed), 1::bigint, 'it changes nothing');
select is((select min(available_at) from queues.ready where is_supervisor_run), '2030-01-01 09:00:10+00', 'a failure does not put the supervisor off');
select is(pg_temp.success(jsonb_build_object('file_deletion_attempt_id', :a::bigint)), 'succeeded', 'a late success');
select is((select count(*) from files.file_deletion_attempt_succeeded), 0::bigint, 'is not counted');
select is((select count(*) from queues.error where source = 'success_handler'), 1::bigint, 'but noted');
select ok(files.is_file_deleted(:file), 'and the file is gone all the same');
select is(pg_temp.before(jsonb_build_object('file_id', :file::bigint, 'file_deletion_attempt_id', :a::bigint)), 'already_done', 'before: nothing is left to do');
-- Only the id of the task.
select test.start_deletion('two') as id2 \gset
select is(pg_temp.success(jsonb_build_object('file_deletion_task_id', :id2::bigint)), 'succeeded', 'the task''s id will do');
select is(pg_temp.failure(jsonb_build_object('file_deletion_task_id', :id2::bigint)), 'succeeded', 'a late failure');
select is((select count(*) from files.file_deletion_attempt_succeeded as s full join files.file_deletion_attempt_failed as f using (file_deletion_attempt_id)), 2::bigint, 'each attempt has one outcome');
select * from finish();
rollback;
