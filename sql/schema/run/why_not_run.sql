-- internal.why_not_run(_worker_id, _task_id, _lease_no)
-- The reason why the running row of a lease could not be locked.  completed: this lease has ended the task.  waiting: after this
-- lease the task waits for its children.  busy: another session holds the row.  lost: superseded, unknown or of another worker.
-- It looks with a new snapshot.
create or replace function internal.why_not_run(_worker_id uuid, _task_id bigint, _lease_no integer) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
                   where l.task_id = _task_id and l.lease_no = _lease_no and h.worker_id = _worker_id) then
        return 'lost';
    elsif exists (select 1 from queues.task_completed as c where c.task_id = _task_id and c.lease_no = _lease_no) then
        return 'completed';
    elsif exists (select 1 from queues.task_lease_ended as e
                  where e.task_id = _task_id and e.lease_no = _lease_no and e.how = 'waiting') then
        return 'waiting';
    elsif exists (select 1 from queues.running as r join queues.holder as h on h.holder_id = r.holder_id
                  where r.task_id = _task_id and r.lease_no = _lease_no and h.worker_id = _worker_id) then
        return 'busy';
    end if;
    return 'lost';
end
$$;
comment on function internal.why_not_run(uuid, bigint, integer) is 'Why a lease cannot be run now.';
