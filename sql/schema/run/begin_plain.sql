-- internal.begin_plain(_worker_id, _task_id, _lease_no)
-- As internal.begin_execute, for one task of the common kind: a plain function without process, handlers, parent or request to
-- cancel, which runs with the caller's rights.  call is null for all other tasks.
-- An enqueued task waits for this function, so it reads few tables: each table that a statement names costs time, even if no row
-- is read from it.
create or replace function internal.begin_plain(_worker_id uuid, _task_id bigint, _lease_no integer,
        out payload jsonb, out call text, out path text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
begin
    select p.payload, f.call, c.value #>> '{}' into payload, call, path
    from (select x.* from queues.running as x
          where x.task_id = _task_id and x.lease_no = _lease_no and x.process_id is null and x.parent_id is null
            and x.phase is null
            and (select h.worker_id from queues.holder as h where h.holder_id = x.holder_id) = _worker_id
          -- failpoint: execute.in_fence
          for update skip locked) as r
    join queues.task as t on t.task_id = r.task_id and t.task_type = 'db_function'
    cross join lateral (select coalesce(r.payload, t.payload)) as p(payload)
    join internal.allowed_function as f on f.function_name = p.payload->>'db_function' and f.enabled and f.kind = 'task'
    join internal.config as c on c.key = 'handler_search_path'
    where not p.payload ?| array['success_handler', 'error_handler']
      and not exists (select 1 from internal.config as d where d.key = 'runner_mode' and d.value = '"definer"');
    -- failpoint: execute.after_fence
    -- Read after the lock, so that the run respects a request that was answered before it.
    if call is not null and exists (select 1 from queues.task_cancel_requested as q where q.task_id = _task_id) then
        call := null;
    end if;
end
$$;
comment on function internal.begin_plain(uuid, bigint, integer) is 'Fences and loads one task of the common kind for its run.';
