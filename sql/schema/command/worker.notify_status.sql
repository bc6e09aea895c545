-- worker.notify_status(p_type, p_status)
-- Notifies a front end, on channel worker_status, that a status has begun or ended.
create or replace function worker.notify_status(p_type text, p_status boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if p_type is null or p_status is null then
        raise exception using errcode = '22004', message = 'type and status must not be null';
    end if;
    if octet_length(p_type) > 128 then
        raise exception using errcode = '54000', message = 'type is over the limit of 128 bytes';
    end if;
    perform pg_notify('worker_status', json_build_object('type', p_type, 'status', p_status)::text);
end
$$;
comment on function worker.notify_status(text, boolean) is 'Notifies listeners that a status has begun or ended.';
