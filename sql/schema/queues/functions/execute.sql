-- queues.execute(_worker_id, _task_id, _lease_no)
-- Runs one leased task of database work: fence, run, completion in one transaction.
-- A passing error (serialization failure, deadlock, lock timeout) is raised, so that
-- nothing of the run stays; the program then calls finish(..., 'transient').
create or replace function queues.execute(_worker_id uuid, _task_id bigint, _lease_no integer)
    returns table (outcome text, status text, error text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run record;
begin
    select r.* into strict _run
    from internal.run_batch(_worker_id, array[_task_id], array[_lease_no], null, true) as r;
    if _run.sqlstate = 'QU002' then
        raise exception using errcode = 'QU002', message = _run.error;
    elsif _run.sqlstate = '55P03' then
        raise exception using errcode = '55P03', message = _run.error;
    end if;
    return query select _run.outcome, _run.status, _run.error;
end
$$;
comment on function queues.execute(uuid, bigint, integer) is 'Runs one leased task and completes it, in one transaction.';
