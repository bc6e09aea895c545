-- internal.request_secrets(_worker_id, _task_id, _lease_no, _request)
-- Values from the vault for the secrets that a request of an http task names, for the holder of a
-- live lease.  Only names that the task itself refers to somewhere in its payload: a before
-- handler cannot be made to ask for others.
create or replace function internal.request_secrets(_worker_id uuid, _task_id bigint, _lease_no integer, _request jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _payload jsonb;
    _names text[];
begin
    select coalesce(r.payload, t.payload) into _payload
    from queues.running as r
    join queues.task as t on t.task_id = r.task_id
    join queues.registered_task_type as y on y.type_id = r.type_id and y.adapter = 'http'
    where r.task_id = _task_id and r.lease_no = _lease_no and r.expires_at >= queues.clock()
      and exists (select 1 from queues.holder as h where h.holder_id = r.holder_id and h.worker_id = _worker_id);
    _names := array(
        select n #>> '{}' from jsonb_path_query(_request, 'lax $.secret_headers.*.secret') as n
        where jsonb_path_exists(_payload, '$.** ? (@ == $name)', jsonb_build_object('name', n))
        union
        select n #>> '{}' from jsonb_path_query(_request, 'lax $.sign.secret') as n
        where jsonb_path_exists(_payload, '$.** ? (@ == $name)', jsonb_build_object('name', n)));
    return case when cardinality(_names) > 0 then jsonb_build_object('named', internal.vault_values(_names)) else '{}' end;
end
$$;
comment on function internal.request_secrets(uuid, bigint, integer, jsonb) is 'Named secrets of a request.';
