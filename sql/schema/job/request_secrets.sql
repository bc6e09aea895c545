-- internal.request_secrets(_worker_id, _task_id, _lease_no, _request)
-- The secrets that the request of an http task names, for the holder of a live lease: all of them, or {"problem": text} if one may
-- not go to the host of the request.  The right to name them was checked when the task was made.  A before handler is registered
-- code: a secret that it names needs a record for the host, but no right of the enqueuer.  Without a before handler, the request of
-- the task itself is used, and _request is ignored.
create or replace function internal.request_secrets(_worker_id uuid, _task_id bigint, _lease_no integer, _request jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _payload jsonb;
    _problem text;
    _names text[];
begin
    select coalesce(r.payload, t.payload) into _payload
    from queues.running as r
    join queues.task as t on t.task_id = r.task_id
    join queues.registered_task_type as y on y.type_id = r.type_id and y.adapter = 'http'
    where r.task_id = _task_id and r.lease_no = _lease_no and r.expires_at >= queues.clock() and t.task_type <> 'job_http'
      and exists (select 1 from queues.holder as h where h.holder_id = r.holder_id and h.worker_id = _worker_id);
    if not found then
        return '{}'::jsonb;
    end if;
    if not _payload ? 'before_handler' then
        _request := _payload->'request';
    end if;
    _problem := internal.request_bounds(_request);
    if _problem is null then
        select array_agg(n.name), min(internal.secret_problem(n.name, n.use, _request->>'url', false, null)) into _names, _problem
        from internal.named_secrets(_request) as n;
    end if;
    return case when _problem is not null then jsonb_build_object('problem', _problem)
                when _names is null then '{}'
                else internal.call_secrets(_names, _names) end;
end
$$;
comment on function internal.request_secrets(uuid, bigint, integer, jsonb) is 'Named secrets of a request.';
