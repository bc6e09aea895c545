-- internal.run_batch(_worker_id, _task_ids, _lease_nos, _budget, _raise_transient)
-- The shell of queues.execute and queues.execute_batch.  Security invoker, so that user
-- code runs with the caller's rights; the steps before and after are definer functions.
-- Runs of supervisors go first or last in a batch: their process row stays locked.
create or replace function internal.run_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _budget interval, _raise_transient boolean)
    returns table (task_id bigint, outcome text, status text, error text, sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _stop_at constant timestamptz := clock_timestamp() + _budget;
    _path constant text := internal.text_setting('handler_search_path');
    _definer constant boolean := internal.text_setting('runner_mode') = 'definer';
    _task record;
    _end internal.run_end;
    _ends internal.run_end[] := array[]::internal.run_end[];
    _retry_ids bigint[] := array[]::bigint[];
    _retry_nos integer[] := array[]::integer[];
    _retry_codes text[] := array[]::text[];
begin
    perform internal.require_read_committed('execute');
    for _task in select * from internal.begin_execute(_worker_id, _task_ids, _lease_nos) loop
        if _task.fence in ('completed', 'cancelled') then
            return query select _task.task_id, _task.outcome, _task.status, null::text, null::text;
            continue;
        elsif _task.fence = 'busy' then
            return query select _task.task_id, null::text, null::text,
                format('task %s is being run by another session', _task.task_id), '55P03'::text;
            continue;
        elsif _task.fence is not null then
            return query select _task.task_id, null::text, null::text,
                format('lease %s of task %s is superseded, unknown or of another worker', _task.lease_no, _task.task_id),
                'QU002'::text;
            continue;
        end if;
        exit when cardinality(_ends) > 0 and (clock_timestamp() >= _stop_at or _task.is_supervisor);

        if _worker_id <> '00000000-0000-4000-8000-000000000001' then
            -- Lets others see the run and its backend.  Nobody else looks at a test transaction.
            perform pg_try_advisory_xact_lock_shared(20546, (_task.task_id & 2147483647)::integer);
        end if;
        _end := internal.run_task(_task.task_id, _task.lease_no, _task.payload, _task.call, _task.is_supervisor,
                                  _task.process_id, _task.facts_call, _path, _definer);
        if _end.outcome = 'transient' then
            if _raise_transient then
                raise exception using errcode = _end.error_sqlstate, message = _end.error;
            end if;
            _retry_ids := _retry_ids || _task.task_id;
            _retry_nos := _retry_nos || _task.lease_no;
            _retry_codes := _retry_codes || _end.error_sqlstate;
            continue;
        end if;
        _ends := _ends || _end;
        return query select _end.task_id, _end.outcome, _end.status, _end.error, _end.error_sqlstate;
        exit when _task.is_supervisor;
    end loop;
    if cardinality(_ends) > 0 then
        perform internal.end_execute(_worker_id, _ends);
    end if;
    for _i in 1 .. cardinality(_retry_ids) loop
        return query select _retry_ids[_i],
            queues.finish(_worker_id, _retry_ids[_i], _retry_nos[_i], 'transient', null, 'passing error', null),
            null::text, null::text, _retry_codes[_i];
    end loop;
    perform set_config('reeve.task_id', '', true), set_config('reeve.lease_no', '', true),
            set_config('reeve.process_id', '', true), set_config('reeve.enqueued', '', true),
            set_config('reeve.quiet_runs', '', true);
end
$$;
comment on function internal.run_batch(uuid, bigint[], integer[], interval, boolean) is
    'Runs leased database work and completes it.';
