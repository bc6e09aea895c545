-- queues.complete_task(_task_id, _lease_no, _outcome, _result)
-- Ends a task that was dequeued by this login.  It answers completed, duplicate, fenced or not_leased.
-- Without a lease number, the newest lease counts, if the same login took it by a dequeue.  So a pool may complete on another
-- connection, and a stranger may not.  No handler runs.
create or replace function queues.complete_task(_task_id bigint, _lease_no integer default null,
        _outcome text default null, _result jsonb default null) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
    _end text := _outcome;
    _lease integer := _lease_no;
begin
    if _task_id is null then
        raise exception using errcode = '22004', message = 'task id must not be null';
    end if;
    if _outcome not in ('succeeded', 'non_success', 'failed', 'cancelled', 'quarantined', 'superseded', 'in_doubt') then
        raise exception using errcode = '22023', message = format('unknown outcome "%s"', left(_outcome, 64));
    end if;
    perform internal.require_task(_task_id);
    loop
        select r.* into _row from queues.running as r where r.task_id = _task_id for update;
        exit when found or not exists (select 1 from queues.running as r where r.task_id = _task_id);
        -- The task was leased again while we waited for the row of the old lease: look again.
    end loop;
    if exists (select 1 from queues.task_completed as c where c.task_id = _task_id) then
        return 'duplicate';
    end if;
    if _row.task_id is null and _lease is null then
        return 'not_leased';
    end if;
    _lease := coalesce(_lease, _row.lease_no);
    if _end is null then
        _end := case when exists (select 1 from queues.error as e where e.task_id = _task_id and e.lease_no = _lease
                                  and e.source = 'client') then 'failed' else 'succeeded' end;
    end if;
    if _row.task_id is not null and _row.lease_no = _lease and exists (
            select 1 from queues.holder as h
            where h.holder_id = _row.holder_id and h.worker_id is null and h.leased_by = session_user) then
        perform internal.complete_running(_row, _end, _end, internal.bounded(_result), _row.leased_at);
        return 'completed';
    end if;
    insert into queues.late_result (task_id, lease_no, received_at, outcome, result)
    select _task_id, _lease, queues.clock(), _end, internal.bounded(_result)
    from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
    where l.task_id = _task_id and l.lease_no = _lease and h.worker_id is null and h.leased_by = session_user
    on conflict (task_id, lease_no) do nothing;
    return 'fenced';
end
$$;
comment on function queues.complete_task(bigint, integer, text, jsonb) is 'Ends a task that this login has dequeued.';
