begin;
select plan(6);
select (files.create_file('b', 'k')).created_file_id as file \gset
select queues.enqueue('file_delete', jsonb_build_object('file_id', :file::bigint, 'before_handler', 'files.get_file_delete_payload',
    'success_handler', 'files.record_file_delete_success', 'error_handler', 'files.record_file_delete_failure')) as id \gset
select is(test.dispatch(:id), 'completed', 'it ends before anything is sent');
select isnt(test.outcome(:id), 'succeeded', 'and does not succeed');
select is((select count(*) from queues.task_dispatched where task_id = :id), 0::bigint, 'nothing was announced');
select is((select error_message from queues.error where task_id = :id and source <> 'error_handler' order by error_id limit 1),
    'before handler files.get_file_delete_payload returned status: missing_file_deletion_attempt_id', 'and it says why');
select ok(not files.is_file_deleted(:file), 'the file is not marked');
-- The one that the files module itself makes.
select test.start_deletion('two');
select is(test.dispatch(test.deletion_task()), 'send', 'with an attempt it is sent');
select * from finish();
rollback;
