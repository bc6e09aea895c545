-- queues.complete_noop(_worker_id, _task_ids, _lease_nos)
-- Completes many leased tasks of kind "nothing" in one statement, and returns those that it completed.  The others were
-- superseded, or are of another kind.
create or replace function queues.complete_noop(_worker_id uuid, _task_ids bigint[], _lease_nos integer[]) returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _holders constant integer[] := (select array_agg(h.holder_id) from queues.holder as h where h.worker_id = _worker_id);
    _types constant smallint[] := (select array_agg(t.type_id) from queues.registered_task_type as t where t.kind = 'nothing');
begin
    perform internal.require_read_committed('complete_noop');
    perform internal.check_pairs(_task_ids, _lease_nos);
    return query
        with gone as (
            delete from queues.running as r
            where r.task_id = any(_task_ids)
              and ((r.task_id, r.lease_no) in (select w.task_id, w.lease_no from unnest(_task_ids, _lease_nos) as w(task_id, lease_no))) is true
              and r.holder_id = any(_holders) and r.type_id = any(_types)
            returning r.task_id, r.lease_no
        )
        insert into queues.task_completed (task_id, completed_at, outcome, lease_no)
        select g.task_id, _now, 'succeeded', g.lease_no from gone as g
        returning task_id;
end
$$;
comment on function queues.complete_noop(uuid, bigint[], integer[]) is 'Completes leased tasks that do nothing.';
