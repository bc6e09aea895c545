-- queues.start_worker(_worker_id, _name, _version, _schema_version, _single_instance)
-- Registers a worker program and returns the settings.  It refuses a program that was made for another schema (QU004), and a
-- database that is a copy (QU005).  After a reconnect it may be called again with the same id.
create or replace function queues.start_worker(_worker_id uuid, _name text, _version text, _schema_version integer,
        _single_instance boolean default false, _installation uuid default null) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _here constant integer := queues.schema_version();
begin
    if _worker_id is null or _name is null or _version is null then
        raise exception using errcode = '22004', message = 'worker id, name and version must not be null';
    end if;
    if _schema_version is distinct from _here then
        raise exception using errcode = 'QU004',
            message = format('schema version is %s, the program needs %s', _here, _schema_version),
            hint = case when _schema_version > _here then 'Run: reeve migrate' else 'Use a newer reeve.' end;
    end if;
    perform internal.require_adopted(_installation);
    insert into queues.worker_started (worker_id, worker_name, version, host, pid, single_instance, started_at)
    values (_worker_id, left(_name, 256), left(_version, 64), host(inet_client_addr()), pg_backend_pid(),
            coalesce(_single_instance, false), clock_timestamp())
    on conflict (worker_id) do nothing;
    return queues.worker_settings();
end
$$;
comment on function queues.start_worker(uuid, text, text, integer, boolean, uuid) is 'Registers a worker program.';
