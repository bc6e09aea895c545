begin;
select plan(6);
select is((select validation_failure_message from files.create_file(null, 'k')), 'bucket_missing', 'the bucket');
select is((select validation_failure_message from files.create_file('b', ' ')), 'object_key_missing', 'the key');
select created_file_id as id from files.create_file('b', 'k', 'audio/mp4') \gset
select is((select (bucket, object_key, mime_type)::text from files.file where file_id = :id), '(b,k,audio/mp4)', 'a good one');
select is((select (validation_failure_message, created_file_id)::text from files.create_file('c', 'k')), '(object_key_taken,)', 'an object is one file');
select is((select count(*) from files.file), 1::bigint, 'nothing else was written');
select throws_ok($$insert into files.file (bucket, object_key) values ('d', 'k')$$, '23505', null, 'the table says so too');
select * from finish();
rollback;
