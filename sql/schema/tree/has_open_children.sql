-- internal.has_open_children(_task_id)
-- Is a child of this task not completed?  It reads from the end, because children are claimed from the front.
create or replace function internal.has_open_children(_task_id bigint) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
begin
    perform 1 from queues.ready as r where r.parent_id = _task_id order by r.task_id desc limit 1;
    if found then
        return true;
    end if;
    perform 1 from queues.running as r where r.parent_id = _task_id order by r.task_id desc limit 1;
    return found;
end
$$;
comment on function internal.has_open_children(bigint) is 'Whether a task has children that are not completed.';
