-- internal.cancel_tree(_task_id)
-- After a parent ended without success: completes its descendants that are not leased as cancelled.  Leased ones finish, and their
-- results stand.
create or replace function internal.cancel_tree(_task_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
begin
    if not exists (select 1 from worker.task_parent as p where p.task_id = _task_id) then
        return;
    end if;
    perform internal.hold_trees(array[_task_id]);
    for _row in select r.* from queues.ready as r where r.parent_id = _task_id order by r.task_id for update loop
        perform internal.drop_ready(_row, 'cancelled', 'Parent task failed');
    end loop;
end
$$;
comment on function internal.cancel_tree(bigint) is 'Cancels the waiting tasks below a failed parent.';
