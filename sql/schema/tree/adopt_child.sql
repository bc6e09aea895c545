-- internal.adopt_child(_parent_id, _mode)
-- Prepares a parent for one more child: the parent cannot end before this transaction, and its children run in one mode.  is_own:
-- the parent is the task that runs in this transaction, which decides about its end.
create or replace function internal.adopt_child(_parent_id bigint, _mode worker.child_mode,
        out depth integer, out is_serial boolean, out is_own boolean)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _known worker.child_mode;
    _row queues.ready;
begin
    select coalesce(t.depth, 0) + 1, t.task_type = 'command' into depth, is_own
    from queues.task as t where t.task_id = _parent_id;
    if not found then
        raise exception using errcode = '23503', message = format('parent task %s does not exist', _parent_id);
    elsif not is_own then
        raise exception using errcode = '22023', message = format('parent task %s is not a command', _parent_id);
    end if;
    is_own := coalesce((select r.task_id from internal.current_run() as r) = _parent_id, false);
    select p.child_mode into _known from worker.task_parent as p where p.task_id = _parent_id;
    if not is_own then
        perform internal.check_reserved(t.payload) from queues.task as t where t.task_id = _parent_id;
    end if;
    if is_own then
        if coalesce(current_setting('reeve.report', true), '') = '' then
            perform set_config('reeve.report', '{}', true); -- the run must report more than "done"
        end if;
    else
        -- A session that ends the parent locks this row; without it, the working row.  Only the first child waits for a run in progress.
        if _known = 'serial' then
            perform 1 from worker.task_parent as p where p.task_id = _parent_id for no key update;
        elsif _known is not null then
            perform 1 from worker.task_parent as p where p.task_id = _parent_id for share;
        else
            for _look in 1 .. 100 loop
                _row := internal.lock_ready(_parent_id);
                exit when _row.task_id is not null;
                perform 1 from queues.running as r where r.task_id = _parent_id for key share;
                exit when found or exists (select 1 from queues.task_completed as c where c.task_id = _parent_id);
            end loop;
        end if;
    end if;
    -- failpoint: adopt.after_lock
    if exists (select 1 from queues.task_completed as c where c.task_id = _parent_id) then
        raise exception using errcode = '55000', message = format('parent task %s is completed', _parent_id);
    end if;
    if _known is null then
        insert into worker.task_parent (task_id, child_mode, created_at)
        values (_parent_id, coalesce(_mode, 'concurrent'), queues.clock())
        on conflict (task_id) do nothing;
        select p.child_mode into _known from worker.task_parent as p where p.task_id = _parent_id;
    end if;
    if _mode <> _known then
        raise exception using errcode = '22023',
            message = format('children of task %s are %s, not %s', _parent_id, _known, _mode);
    end if;
    is_serial := _known = 'serial';
end
$$;
comment on function internal.adopt_child(bigint, worker.child_mode) is 'Prepares a parent for one more child.';
