-- files.mark_file_deleted(_file_id)
-- Effect: marks the file as deleted, for the application.
create or replace function files.mark_file_deleted(_file_id bigint) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into files.file_metadata (file_id, key, value, created_at) values (_file_id, 'deleted', 'true', queues.clock())
    on conflict (file_id, key) do update set value = excluded.value, created_at = excluded.created_at
    where file_metadata.value <> excluded.value;
end
$$;
comment on function files.mark_file_deleted(bigint) is 'Effect: marks a file as deleted.';
