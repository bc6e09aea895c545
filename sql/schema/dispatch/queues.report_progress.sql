-- queues.report_progress(_worker_id, _task_id, _lease_no, _progress)
-- Records how far a leased task has come.  False: this worker does not hold the lease, and nothing was recorded.
create or replace function queues.report_progress(_worker_id uuid, _task_id bigint, _lease_no integer, _progress jsonb) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _progress is null then
        raise exception using errcode = '22004', message = 'progress must not be null';
    end if;
    if octet_length(_progress::text) > 16384 then
        _progress := jsonb_build_object('truncated', true, 'text', left(_progress::text, 4096));
    end if;
    insert into queues.task_progress (task_id, lease_no, reported_at, progress)
    select r.task_id, r.lease_no, queues.clock(), _progress
    from queues.running as r
    where r.task_id = _task_id and r.lease_no = _lease_no
      and exists (select 1 from queues.holder as h where h.holder_id = r.holder_id and h.worker_id = _worker_id)
    on conflict on constraint task_progress_pkey do nothing;
    return found;
end
$$;
comment on function queues.report_progress(uuid, bigint, integer, jsonb) is 'Records how far a leased task has come.';
