-- internal.begin_execute(_worker_id, _task_ids, _lease_nos)
-- First step of a run: locks the running rows, compares the lease numbers (the fence), and loads the calls.  It returns one row
-- per named lease, in the order given; tasks of processes come last, ordered by process.  fence: null, or the reason why the task
-- is not run (internal.why_not_run).  statement: the call; null: not registered.  has_answer: the call returns a value.
-- plain_answer: the answer after which only the completion is left.  is_plain: the run consists of that call alone.
-- reads_facts: a facts function, if there is one, is called before the run; otherwise the answer contains the facts.  hooks: steps
-- that the type replaces.
create or replace function internal.begin_execute(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, lease_no integer, fence text, payload jsonb, statement text, has_answer boolean,
                   plain_answer jsonb, is_plain boolean, is_supervisor boolean, process_id bigint, reads_facts boolean,
                   parent_id bigint, is_watched boolean, hooks jsonb)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
begin
    perform internal.check_pairs(_task_ids, _lease_nos);
    return query
        select w.task_id, w.lease_no,
               case when r.task_id is null then internal.why_not_run(_worker_id, w.task_id, w.lease_no)
                    when y.kind not in ('run', 'prepared') then 'not_executed' end,
               p.payload, coalesce(v.statement, 'select ' || f.call || '($1)'), coalesce(v.has_answer, true),
               case when y.variant_key is null then '{"status": "succeeded"}' else '{}' end::jsonb,
               case when y.variant_key is not null then coalesce(v.is_plain, false) and r.phase is null
                        -- Merges are folded where user code first sees the payload: in the step before, if there is one.
                        and (v.is_prepared or (select true from queues.merging as m where m.task_id = w.task_id limit 1) is null)
                        and (select true from worker.task_parent as x where x.task_id = w.task_id limit 1) is null
                    else y.hooks is null and f.call is not null and r.process_id is null
                        and not p.payload ?| array['success_handler', 'error_handler'] end,
               r.is_supervisor_run, r.process_id, coalesce(r.is_supervisor_run and not coalesce(f.returns_facts, false), false),
               r.parent_id, y.is_watched, y.hooks
        from unnest(_task_ids, _lease_nos) with ordinality as w(task_id, lease_no, n)
        left join lateral (
            select x.* from queues.running as x
            where x.task_id = w.task_id and x.lease_no = w.lease_no
              and exists (select 1 from queues.holder as h where h.holder_id = x.holder_id and h.worker_id = _worker_id)
            -- failpoint: execute.in_fence
            for update skip locked) as r on true
        left join queues.registered_task_type as y on y.type_id = r.type_id
        left join queues.task as t on t.task_id = r.task_id
        cross join lateral (select coalesce(r.payload, t.payload)) as p(payload)
        left join internal.allowed_function as f on f.function_name = p.payload->>'db_function'
            and f.enabled and (f.kind = 'task' or internal.fits_position(f.kind, 'db_function'))
        left join lateral (
            select k.* from internal.task_variant as k
            where y.variant_key is not null and k.type_id = y.type_id and k.variant = p.payload->>y.variant_key) as v on true
        order by r.process_id nulls first, w.n;
    -- failpoint: execute.after_fence
end
$$;
comment on function internal.begin_execute(uuid, bigint[], integer[]) is 'Fences and loads tasks for their run.';
