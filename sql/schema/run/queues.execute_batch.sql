-- queues.execute_batch(_worker_id, _task_ids, _lease_nos)
-- Runs several leased tasks in one transaction, each in its own subtransaction, and stops after about 10 ms.  A task without a row
-- in the answer is still leased, and the program asks for it again.  Effects and completions commit together; a crash undoes both.
-- A run that met a passing error is put back ("retry").  For a lost or busy task, sqlstate says so.
-- name and line: for a log; see internal.run_batch.
create or replace function queues.execute_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, outcome text, status text, error text, sqlstate text, name text, line text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query select * from internal.run_batch(_worker_id, _task_ids, _lease_nos, interval '10 milliseconds', false);
end
$$;
comment on function queues.execute_batch(uuid, bigint[], integer[]) is 'Runs several leased tasks in one transaction.';
