-- internal.cancel_below(_task_id, _reason, _is_audited)
-- Cancels the open tasks below a task.  A waiting child is completed with its parent (internal.cancel_tree), and the leased tasks below
-- that child are still open.
create or replace function internal.cancel_below(_task_id bigint, _reason text, _is_audited boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _child record;
begin
    for _child in
        select t.task_id, (select true from queues.task_completed as c where c.task_id = t.task_id limit 1) is true as has_ended
        from queues.task as t where t.parent_id = _task_id
    loop
        if not _child.has_ended then
            perform internal.cancel_work(_child.task_id, _reason, _is_audited);
        elsif exists (select 1 from worker.task_parent as p where p.task_id = _child.task_id) then
            perform internal.cancel_below(_child.task_id, _reason, _is_audited);
        end if;
    end loop;
end
$$;
comment on function internal.cancel_below(bigint, text, boolean) is 'Cancels the open tasks below a task.';
