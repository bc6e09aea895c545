begin;
select plan(7);
select created_file_id as id from files.create_file('b', 'k') \gset
select is(files.kickoff_file_deletion(null), 'missing_file_id', 'no id');
select is(files.kickoff_file_deletion(0), 'file_not_found', 'no file');
select is((select count(*) from queues.task), 0::bigint, 'nothing was written');
select is(files.kickoff_file_deletion(:id, now() + interval '1 hour'), null, 'nothing is wrong');
select is((select payload from queues.task), jsonb_build_object('task_type', 'db_function', 'db_function', 'files.file_deletion_supervisor',
          'file_deletion_task_id', (select file_deletion_task_id from files.file_deletion_task)), 'the supervisor is enqueued with the id alone');
select is((select scheduled_at from queues.task), now() + interval '1 hour', 'for its time');
select is((select (file_id, task_uuid is not null)::text from files.file_deletion_task), format('(%s,t)', :id), 'the task is that of the file');
select * from finish();
rollback;
