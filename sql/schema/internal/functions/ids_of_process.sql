-- internal.ids_of_process(_process_id)
-- The ids of a process, for the run in progress.
create or replace function internal.ids_of_process(_process_id bigint) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select p.ids from queues.process as p where p.process_id = _process_id);
end
$$;
comment on function internal.ids_of_process(bigint) is 'Ids of a process.';
