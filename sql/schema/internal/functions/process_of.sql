-- internal.process_of(_supervisor, _payload)
-- The process of a supervisor's payload, made if it is new.  Two sessions that make
-- the same one wait for each other here and get the same row.
create or replace function internal.process_of(_supervisor text, _payload jsonb) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ids constant jsonb := internal.process_ids(_supervisor, _payload);
    _id bigint;
begin
    select p.process_id into _id from queues.process as p where p.supervisor = _supervisor and p.ids = _ids;
    if _id is not null then
        return _id;
    end if;
    if octet_length(_ids::text) > 1024 then
        raise exception using errcode = '54000',
            message = format('ids of a process of "%s" are over the limit of 1024 bytes', _supervisor),
            hint = 'Name the keys that identify it with internal.allow_function(..., _process_keys => ...).';
    end if;
    insert into queues.process (supervisor, ids, parent_process_id, created_at)
    values (_supervisor, _ids, nullif(current_setting('reeve.process_id', true), '')::bigint, queues.clock())
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
comment on function internal.process_of(text, jsonb) is 'Finds or makes the process of a supervisor''s payload.';
