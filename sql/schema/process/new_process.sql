-- internal.new_process(_supervisor, _ids)
-- Makes the process of a supervisor with the ids that it works on.  Two sessions that make the same process wait for each other
-- here and get the same row.
create or replace function internal.new_process(_supervisor text, _ids jsonb) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    if octet_length(_ids::text) > 1024 then
        raise exception using errcode = '54000',
            message = format('ids of a process of "%s" are over the limit of 1024 bytes', _supervisor),
            hint = 'Name the keys that identify it with internal.allow_function(..., _process_keys => ...).';
    end if;
    insert into queues.process (supervisor, ids, parent_process_id, created_at)
    values (_supervisor, _ids, (select r.process_id from internal.current_run() as r), queues.clock())
    on conflict (supervisor, ids) do nothing
    returning process_id into _id;
    if _id is null then
        select p.process_id into _id from queues.process as p where p.supervisor = _supervisor and p.ids = _ids;
    end if;
    if _id is null then
        raise exception using errcode = '40001',
            message = 'could not serialize access due to a concurrent start of the same process';
    end if;
    return _id;
end
$$;
comment on function internal.new_process(text, jsonb) is 'Makes the process of a supervisor.';
