-- internal.process_of(_supervisor, _payload)
-- The process of a supervisor's payload, made if it is new.
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
    return internal.new_process(_supervisor, _ids);
end
$$;
comment on function internal.process_of(text, jsonb) is 'Finds or makes the process of a supervisor''s payload.';
