-- internal.end_finishes(_worker_id, _task_ids, _lease_nos, _started, _results)
-- Last step of queues.finish_batch: the completions of plain successes.  internal.begin_finishes locked their rows in this
-- transaction.  The fence is checked once more, because this function can be called by itself.
create or replace function internal.end_finishes(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _started timestamptz[], _results jsonb[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _count integer;
begin
    delete from queues.running as r
    where r.task_id = any(_task_ids)
      and ((r.task_id, r.lease_no) in (select w.task_id, w.lease_no from unnest(_task_ids, _lease_nos) as w(task_id, lease_no))) is true
      and (select h.worker_id from queues.holder as h where h.holder_id = r.holder_id) = _worker_id;
    get diagnostics _count = row_count;
    if _count <> cardinality(_task_ids) then
        raise exception using errcode = 'QU002', message = 'lease is superseded, unknown or of another worker';
    end if;
    insert into queues.task_completed (task_id, completed_at, outcome, lease_no, started_at, result)
    select w.task_id, _now, 'succeeded', w.lease_no, w.started_at, w.result
    from unnest(_task_ids, _lease_nos, _started, _results) as w(task_id, lease_no, started_at, result);
end
$$;
comment on function internal.end_finishes(uuid, bigint[], integer[], timestamptz[], jsonb[]) is 'Completes a batch of calls.';
