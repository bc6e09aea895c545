-- queues.execute(_worker_id, _task_id, _lease_no)
-- Runs one leased task of database work: fence, run, completion in one transaction.  A passing error (serialization failure,
-- deadlock, lock timeout) is raised, so that the whole run is rolled back; the program then calls finish(..., 'transient').
create or replace function queues.execute(_worker_id uuid, _task_id bigint, _lease_no integer)
    returns table (outcome text, status text, error text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run constant record := internal.run_one(_worker_id, _task_id, _lease_no);
begin
    outcome := _run.outcome;
    status := _run.status;
    error := _run.error;
    return next;
end
$$;
comment on function queues.execute(uuid, bigint, integer) is 'Runs one leased task and completes it, in one transaction.';
