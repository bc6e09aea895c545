-- worker.rescue_waiting_parents(p_queue)
-- Second line of defence: completes parents that wait although no child is open, and returns their number.  The last child
-- normally does this itself.
create or replace function worker.rescue_waiting_parents(p_queue text default null) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _queue_id constant integer := case when p_queue is not null then internal.require_queue(p_queue) end;
    _ids bigint[];
begin
    select array_agg(r.task_id) into _ids from queues.ready as r
    where r.lease_no > 0 and r.phase = 'w' and (_queue_id is null or r.queue_id = _queue_id)
      and not internal.has_open_children(r.task_id);
    if _ids is null then
        return 0;
    end if;
    perform internal.close_parents(_ids);
    return (select count(*) from unnest(_ids) as i(task_id)
            where not exists (select 1 from queues.ready as r where r.lease_no > 0 and r.phase = 'w' and r.task_id = i.task_id));
end
$$;
comment on function worker.rescue_waiting_parents(text) is 'Completes parents that wait for nothing.';
