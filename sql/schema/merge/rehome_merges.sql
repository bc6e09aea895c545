-- internal.rehome_merges(_only_mine)
-- Second half of merging without locks.  A merge that committed after the run of its task had begun gets a task of its own, or is
-- moved to the task that waits by now.  A waiting task moves forward if a more urgent payload was merged into it.  Claims call
-- this function.  It is cheap, because it reads only tasks that have merges.
--
-- No merge is missed.  If its task still waits, the run will take it.  If the run has begun, this function finds the merge once it
-- is committed.  A task that is leased and has not begun is left alone: the lock on the running row tells which, because a run
-- holds it.  _only_mine: for a run inside the caller's transaction, which leaves the tasks of others alone.
create or replace function internal.rehome_merges(_only_mine boolean default false) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _task_id bigint;
    _count integer := 0;
begin
    for _task_id in
        with recursive distinct_task as (
            (select m.task_id from queues.merging as m order by m.task_id limit 1)
            union all
            select (select m.task_id from queues.merging as m where m.task_id > d.task_id order by m.task_id limit 1)
            from distinct_task as d where d.task_id is not null
        )
        select d.task_id from distinct_task as d where d.task_id is not null
          and coalesce((select true from queues.task_lease as l where l.task_id = d.task_id and l.lease_no = 1 limit 1),
                       (select true from queues.task_completed as c where c.task_id = d.task_id limit 1),
                       (select true from queues.merging as m where m.task_id = d.task_id and m.is_urgent limit 1),
                       (select true from queues.task as t where t.task_id = d.task_id limit 1) is null)
          and (not _only_mine or (select internal.is_ours(t.xmin) from queues.task as t where t.task_id = d.task_id limit 1))
    loop
        if exists (select 1 from queues.task_completed as c where c.task_id = _task_id)
           or exists (select 1 from worker.handler_done as h where h.task_id = _task_id)
           or not exists (select 1 from queues.task as t where t.task_id = _task_id) then -- pruned meanwhile
            _count := _count + internal.rehome_task(_task_id);
        elsif exists (select 1 from queues.running as r where r.task_id = _task_id) then
            if internal.is_running_row_held(_task_id) then
                _count := _count + internal.rehome_task(_task_id);
            end if;
        else
            perform internal.hasten(_task_id);
        end if;
    end loop;
    return _count;
end
$$;
comment on function internal.rehome_merges(boolean) is 'Gives merges that came too late for their task a new one.';
