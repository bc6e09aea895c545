-- internal.unblock_next(_parent_id)
-- Serial children: if no child runs or waits to run, unblocks the first blocked one, by priority and id.  The caller holds the row
-- of the parent in worker.task_parent, or the parent's run.
create or replace function internal.unblock_next(_parent_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
    _task queues.task;
    _at timestamptz;
begin
    if exists (select 1 from queues.running as r where r.parent_id = _parent_id)
       or exists (select 1 from queues.ready as r where r.parent_id = _parent_id and r.phase is distinct from 'b') then
        return;
    end if;
    select r.* into _row from queues.ready as r
    where r.parent_id = _parent_id and r.phase = 'b'
    order by r.priority, r.task_id limit 1 for update;
    if not found then
        return;
    end if;
    select t.* into _task from queues.task as t where t.task_id = _row.task_id;
    _at := greatest(_task.scheduled_at, queues.clock()); -- a claim may have passed a time in the past
    update queues.ready as r set available_at = _at, phase = null
    where r.queue_id = _row.queue_id and r.priority = _row.priority and r.available_at = 'infinity' and r.task_id = _row.task_id;
    perform internal.record_change(_row.task_id, 'unblock', null, _at, _row.priority, _row.lease_no);
    perform internal.wake_workers(_task.queue, _at, internal.text_setting('notify') <> 'off');
end
$$;
comment on function internal.unblock_next(bigint) is 'Lets the next serial child run.';
