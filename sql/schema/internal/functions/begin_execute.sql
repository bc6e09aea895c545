-- internal.begin_execute(_worker_id, _task_ids, _lease_nos)
-- First step of a run: locks the running rows and compares the lease numbers (the
-- fence), and loads what is to be called.  One row per lease named, in the order given:
-- fence null: run it.  completed: this very lease has already ended the task, with the
-- outcome shown.  cancelled: a cancel request was found and carried out.  busy: another
-- session is running it.  lost: superseded, unknown or of another worker.
create or replace function internal.begin_execute(_worker_id uuid, _task_ids bigint[], _lease_nos integer[])
    returns table (task_id bigint, lease_no integer, fence text, outcome text, status text, payload jsonb, call text,
                   is_supervisor boolean, process_id bigint, facts_call text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _locked bigint[];
    _row queues.running;
begin
    perform internal.check_pairs(_task_ids, _lease_nos);
    select array_agg(l.task_id) into _locked
    from (select r.task_id
          from (select distinct w.task_id, w.lease_no from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
                order by 1) as w
          cross join lateral (
              select x.task_id, x.lease_no, x.holder_id from queues.running as x where x.task_id = w.task_id
              for update skip locked) as r
          join queues.holder as h on h.holder_id = r.holder_id and h.worker_id = _worker_id
          where r.lease_no = w.lease_no) as l;
    if exists (select 1 from queues.running as r
               join queues.registered_task_type as y on y.type_id = r.type_id
               where r.task_id = any(_locked) and y.adapter not in ('function', 'command', 'job_func')) then
        raise exception using errcode = '22023', message = 'only database work is executed',
            hint = 'Tasks of channels go through queues.begin_dispatch and queues.finish.';
    end if;
    -- failpoint: execute.after_fence
    for _row in
        select r.* from queues.running as r
        join queues.task_cancel_requested as c on c.task_id = r.task_id
        where r.task_id = any(_locked)
    loop
        perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
    end loop;
    return query
        select w.task_id, w.lease_no,
               case when r.task_id is not null then null
                    when c.task_id is not null and c.lease_no = w.lease_no then
                        case when c.outcome = 'cancelled' and w.task_id = any(_locked) then 'cancelled' else 'completed' end
                    when exists (select 1 from queues.running as x where x.task_id = w.task_id
                                 and x.lease_no = w.lease_no and x.task_id <> all(coalesce(_locked, '{}'))
                                 and exists (select 1 from queues.holder as h where h.holder_id = x.holder_id
                                             and h.worker_id = _worker_id)) then 'busy'
                    else 'lost' end,
               c.outcome, coalesce(c.status, c.outcome), coalesce(r.payload, t.payload), f.call,
               r.is_tick, r.process_id, case when r.is_tick then f.facts_function end
        from unnest(_task_ids, _lease_nos) with ordinality as w(task_id, lease_no, n)
        left join queues.task as t on t.task_id = w.task_id
        left join queues.running as r on r.task_id = w.task_id and r.task_id = any(_locked)
        left join queues.task_completed as c on c.task_id = w.task_id and r.task_id is null
        left join internal.allowed_function as f on f.function_name = coalesce(r.payload, t.payload)->>'db_function'
            and f.enabled and internal.fits_position(f.kind, 'db_function')
        order by w.n;
end
$$;
comment on function internal.begin_execute(uuid, bigint[], integer[]) is 'Fences and loads tasks that are about to run.';
