-- files.is_file_deleted(_file_id)
create or replace function files.is_file_deleted(_file_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from files.file_metadata as m where m.file_id = _file_id and m.key = 'deleted' and m.value = 'true');
end
$$;
comment on function files.is_file_deleted(bigint) is 'Fact: the file is marked as deleted.';
