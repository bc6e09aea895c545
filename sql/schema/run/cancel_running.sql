-- internal.cancel_requests(_worker_id, _task_ids), internal.cancel_running(_worker_id, _task_id, _lease_no)
-- cancel_requests: those of the worker's tasks with a request to cancel.  It reads after the rows were locked, so that a run
-- respects a request that was answered before it.  cancel_running carries out a request.
create or replace function internal.cancel_requests(_worker_id uuid, _task_ids bigint[]) returns bigint[]
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return array(select c.task_id from queues.task_cancel_requested as c
                 where c.task_id = any(_task_ids)
                   and (select h.worker_id from queues.running as r join queues.holder as h on h.holder_id = r.holder_id
                        where r.task_id = c.task_id) = _worker_id);
end
$$;
comment on function internal.cancel_requests(uuid, bigint[]) is 'Those of these tasks with a request to cancel.';

create or replace function internal.cancel_running(_worker_id uuid, _task_id bigint, _lease_no integer) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row constant queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
begin
    if _row.task_id is not null then
        perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
    end if;
end
$$;
comment on function internal.cancel_running(uuid, bigint, integer) is 'Cancels a leased task before its run.';
