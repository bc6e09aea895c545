begin;
select plan(6);
select created_file_id as id from files.create_file('b', 'k') \gset
select ok(not files.is_file_deleted(:id) and not files.is_file_deleted(0) and not files.is_file_deleted(null), 'not deleted');
select files.mark_file_deleted(:id);
select ok(files.is_file_deleted(:id), 'deleted');
select is((select (key, value)::text from files.file_metadata), '(deleted,true)', 'by its metadata');
select files.mark_file_deleted(:id);
select is((select count(*) from files.file_metadata), 1::bigint, 'once');
update files.file_metadata set value = 'false';
select ok(not files.is_file_deleted(:id), 'only true counts');
select files.mark_file_deleted(:id);
select ok(files.is_file_deleted(:id), 'and is set again');
select * from finish();
rollback;
