-- internal.drop_ready(_row, _outcome, _reason)
-- Completes a waiting task; true if it still waited.
create or replace function internal.drop_ready(_row queues.ready, _outcome text, _reason text) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hook text;
begin
    with gone as (
        delete from queues.ready as r
        where r.queue_id = _row.queue_id and r.priority = _row.priority
          and r.available_at = _row.available_at and r.task_id = _row.task_id
        returning r.task_id, r.lease_no
    )
    insert into queues.task_completed (task_id, completed_at, outcome, lease_no, completed_by, result)
    select g.task_id, queues.clock(), _outcome, nullif(g.lease_no, 0), internal.actor(),
           case when _reason is not null then jsonb_build_object('reason', left(_reason, 1024)) end
    from gone as g;
    if not found then
        return false;
    end if;
    select t.hooks->>'ended' into _hook from queues.registered_task_type as t where t.type_id = _row.type_id;
    if _hook is not null then
        execute format('select %s($1, $2, $3, $4, $5, $6)', _hook)
        using _row.task_id, _row.lease_no, _row.priority, _row.parent_id, _outcome, false;
    end if;
    return true;
end
$$;
comment on function internal.drop_ready(queues.ready, text, text) is 'Completes a waiting task.';
