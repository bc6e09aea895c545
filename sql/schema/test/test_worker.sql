-- internal.test_worker_id()
-- The id of the worker below; it is the same in every database.
create or replace function internal.test_worker_id() returns uuid
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$ select uuid '00000000-0000-4000-8000-000000000001' $$;
comment on function internal.test_worker_id() is 'Id of the worker of runs inside a transaction.';

-- internal.test_worker()
-- The worker of runs inside a caller's transaction (queues.simulate, worker.process_tasks).
create or replace function internal.test_worker() returns uuid
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant uuid := internal.test_worker_id();
begin
    insert into queues.worker_started (worker_id, worker_name, version, started_at)
    values (_id, 'in-transaction', 'sql', clock_timestamp())
    on conflict (worker_id) do nothing;
    return _id;
end
$$;
comment on function internal.test_worker() is 'The worker of runs inside a caller''s transaction.';
