-- files.create_file(_bucket, _object_key, _mime_type)
-- Adds a stored file.  A problem is returned as a word instead of an exception, and then nothing is written; an object that is known
-- already is object_key_taken.
create or replace function files.create_file(_bucket text, _object_key text, _mime_type text default null,
        out validation_failure_message text, out created_file_id bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.check_text('bucket', _bucket, 256), internal.check_text('object_key', _object_key, 2048),
            internal.check_text('mime_type', _mime_type, 256);
    validation_failure_message := case
        when coalesce(_bucket, '') !~ '\S' then 'bucket_missing'
        when coalesce(_object_key, '') !~ '\S' then 'object_key_missing' end;
    if validation_failure_message is not null then
        return;
    end if;
    insert into files.file (bucket, object_key, mime_type) values (_bucket, _object_key, _mime_type)
    on conflict (object_key) do nothing
    returning file_id into created_file_id;
    if created_file_id is null then
        validation_failure_message := 'object_key_taken';
    end if;
end
$$;
comment on function files.create_file(text, text, text) is 'Adds a stored file; returns a problem instead of raising.';
