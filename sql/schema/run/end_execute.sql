-- internal.end_execute(_worker_id, _ids, _lease_nos, _started, _ends)
-- Last step of a run: the completions of a batch.  The first three arrays are plain successes, which need one row each; _ends has
-- all other ends.  internal.begin_execute locked the rows in this transaction.  The fence is checked once more, because this
-- function can be called by itself.
create or replace function internal.end_execute(_worker_id uuid, _ids bigint[], _lease_nos integer[], _started timestamptz[],
        _ends internal.run_end[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _all_ids bigint[] := _ids;
    _all_nos integer[] := _lease_nos;
    _count integer;
    _end internal.run_end;
    _parents bigint[];
    _at integer;
    _settled record;
begin
    -- A run says in a setting that it has given its task children, and user code can clear any setting.  The facts decide.
    _parents := array(select p.task_id from worker.task_parent as p where p.task_id = any(_ids) order by p.task_id desc);
    if cardinality(_parents) > 0 then
        for _i in 1 .. cardinality(_parents) loop
            _at := array_position(_ids, _parents[_i]);
            _settled := internal.settle_parent(_worker_id, _ids[_at], _lease_nos[_at], null, _started[_at]);
            if _settled.waits then
                _ids := _ids[:_at - 1] || _ids[_at + 1:];
                _lease_nos := _lease_nos[:_at - 1] || _lease_nos[_at + 1:];
                _started := _started[:_at - 1] || _started[_at + 1:];
            end if;
        end loop;
        _all_ids := _ids;
        _all_nos := _lease_nos;
    end if;
    if cardinality(_ends) > 0 then
        select _ids || array_agg(e.task_id), _lease_nos || array_agg(e.lease_no) into _all_ids, _all_nos from unnest(_ends) as e;
    end if;
    -- failpoint: execute.before_finish
    delete from queues.running as r
    where r.task_id = any(_all_ids)
      and ((r.task_id, r.lease_no) in (select w.task_id, w.lease_no from unnest(_all_ids, _all_nos) as w(task_id, lease_no))) is true
      and (select h.worker_id from queues.holder as h where h.holder_id = r.holder_id) = _worker_id;
    get diagnostics _count = row_count;
    if _count <> cardinality(_all_ids) then
        raise exception using errcode = 'QU002', message = 'lease is superseded, unknown or of another worker';
    end if;
    if cardinality(_ids) > 0 then
        insert into queues.task_completed (task_id, completed_at, outcome, lease_no, started_at)
        select w.task_id, _now, 'succeeded', w.lease_no, w.started_at
        from unnest(_ids, _lease_nos, _started) as w(task_id, lease_no, started_at);
    end if;
    if cardinality(_ends) = 0 then
        return;
    end if;
    insert into queues.task_completed (task_id, completed_at, outcome, status, lease_no, started_at, result)
    select e.task_id, _now, e.outcome, nullif(e.status, e.outcome), e.lease_no,
           -- A task that failed outside its run counts from the start of its lease.
           coalesce(e.started_at, (select l.leased_at from queues.task_lease as l where l.task_id = e.task_id and l.lease_no = e.lease_no)),
           e.result
    from unnest(_ends) as e;
    insert into queues.error (task_id, error_message, created_at, lease_no, sqlstate, source, error_class)
    select e.task_id, left(x.error, 8192), _now, e.lease_no, x.sqlstate, x.source, 'handler'
    from unnest(_ends) with ordinality as e
    cross join lateral (values (1, e.error, e.error_sqlstate, e.error_source), (2, e.handler_error, null, 'error_handler'))
        as x(nth, error, sqlstate, source)
    where x.error is not null
    order by e.ordinality, x.nth;
    -- In the order of processes, like every session that locks several: internal.begin_execute returned them in that order.
    foreach _end in array _ends loop
        if _end.process_id is not null then
            if not exists (select 1 from queues.task as t where t.task_id = _end.task_id and t.process_id = _end.process_id
                           and t.is_supervisor_run) then
                raise exception using errcode = '42501', message = format('task %s is no run of process %s', _end.task_id, _end.process_id);
            end if;
            perform internal.end_supervisor_run(_end);
        end if;
    end loop;
    -- failpoint: execute.before_retry
    perform internal.retry_tasks(array_agg(row(e.task_id, e.lease_no, e.outcome, e.status, e.is_final, e.retry_after)::internal.attempt_end
                                           order by e.task_id))
    from unnest(_ends) as e where e.outcome in ('failed', 'non_success') and e.process_id is null
    having count(*) > 0;
    -- A failed command cancels the waiting tasks below it.
    perform internal.cancel_tree(e.task_id)
    from (select x.task_id from unnest(_ends) as x
          where x.outcome = 'failed' and exists (select 1 from worker.task_parent as p where p.task_id = x.task_id)
          order by x.task_id desc offset 0) as e;
end
$$;
comment on function internal.end_execute(uuid, bigint[], integer[], timestamptz[], internal.run_end[]) is
    'Completes the tasks of a batch.';
