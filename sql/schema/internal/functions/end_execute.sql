-- internal.end_execute(_worker_id, _ends)
-- Last step of a run: the completions of a batch in one statement.  The rows were
-- locked by internal.begin_execute in this transaction; the fence is checked once more,
-- since this function can be called by itself.
create or replace function internal.end_execute(_worker_id uuid, _ends internal.run_end[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _ids constant bigint[] := (select array_agg(e.task_id) from unnest(_ends) as e);
    _gone integer;
begin
    -- failpoint: execute.before_finish
    with gone as (
        delete from queues.running as r
        where r.task_id = any(_ids)
          and exists (select 1 from queues.holder as h where h.holder_id = r.holder_id and h.worker_id = _worker_id)
        returning r.task_id, r.lease_no
    ), ended as (
        insert into queues.task_completed (task_id, completed_at, outcome, status, lease_no, started_at, result)
        select e.task_id, _now, e.outcome, nullif(e.status, e.outcome), e.lease_no, e.started_at, e.result
        from unnest(_ends) as e
        join gone as g on g.task_id = e.task_id and g.lease_no = e.lease_no
        returning task_id
    )
    select count(*) into _gone from ended;
    if _gone <> cardinality(_ends) then
        raise exception using errcode = 'QU002', message = 'lease is superseded, unknown or of another worker';
    end if;
    insert into queues.error (task_id, error_message, created_at, lease_no, sqlstate, source, error_class)
    select e.task_id, left(e.error, 8192), _now, e.lease_no, e.error_sqlstate, e.error_source, 'handler'
    from unnest(_ends) as e where e.error is not null;
    insert into queues.error (task_id, error_message, created_at, lease_no, sqlstate, source, error_class)
    select e.task_id, left(e.handler_error, 8192), _now, e.lease_no, null, 'error_handler', 'handler'
    from unnest(_ends) as e where e.handler_error is not null;
    perform internal.end_tick(e) from unnest(_ends) as e where e.process_id is not null;
end
$$;
comment on function internal.end_execute(uuid, internal.run_end[]) is 'Completes the tasks of a batch.';
