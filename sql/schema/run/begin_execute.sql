-- internal.begin_execute(_worker_id, _task_ids, _lease_nos)
-- First step of a run: locks the running rows and compares the lease numbers (the fence), and
-- loads what is to be called.  One row per lease named, in the order given, what belongs to a
-- process last and by process; fence null: run it, else see internal.why_not_run.  is_plain:
-- nothing but the function or handler itself is involved.  reads_facts: a facts function, if there
-- is one, is asked before the run; else the answer brings the facts.  is_job: a
-- FUNC job.  run: what a command needs.
create or replace function internal.begin_execute(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, lease_no integer, fence text, payload jsonb, call text, is_plain boolean,
                   is_supervisor boolean, process_id bigint, reads_facts boolean, parent_id bigint, is_command boolean,
                   is_job boolean, run internal.command_run)
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
                    when y.adapter not in ('function', 'command', 'job_func') then 'not_executed' end,
               p.payload, f.call,
               case when y.adapter = 'command' then (c.run).call is not null and (c.run).after_call is null
                        and (c.run).status_type is null and not (c.run).is_ended and not (c.run).has_merges
                        and (select true from worker.task_parent as x where x.task_id = w.task_id limit 1) is null
                    else f.call is not null and r.process_id is null
                        and not p.payload ?| array['success_handler', 'error_handler'] end,
               r.is_tick, r.process_id, coalesce(r.is_tick and not coalesce(f.returns_facts, false), false),
               r.parent_id, y.adapter = 'command', y.adapter = 'job_func', c.run
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
            -- Merges are folded where user code first sees the payload: before the hook, if there is one.
            select row(_worker_id, w.task_id, w.lease_no, p.payload->>'command', p.payload, k.handler_call,
                       k.handler_call not like 'call %($1)', k.after_call, k.status_type, coalesce(r.phase = 'h', false),
                       k.before_call is null and k.status_type is null
                       and coalesce((select true from queues.merging as m where m.task_id = w.task_id limit 1), false),
                       k.before_call, r.parent_id)::internal.command_run as run
            from (select 1) as one
            left join worker.command_registry as k on k.command = p.payload->>'command'
            where y.adapter = 'command') as c on true
        order by r.process_id nulls first, w.n;
    -- failpoint: execute.after_fence
end
$$;
comment on function internal.begin_execute(uuid, bigint[], integer[]) is 'Fences and loads tasks that are about to run.';
