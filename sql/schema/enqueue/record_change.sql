-- internal.record_change(...)
-- Records a change of a waiting task.  The caller holds its ready row.
create or replace function internal.record_change(_task_id bigint, _reason text, _payload jsonb,
        _available_at timestamptz, _priority bigint, _lease_no integer) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into queues.task_changed (task_id, change_no, changed_at, reason, payload, available_at, changed_by,
        priority, lease_no)
    select _task_id, coalesce(max(c.change_no), 0) + 1, queues.clock(), _reason, _payload, _available_at,
        internal.actor(), _priority, _lease_no
    from queues.task_changed as c
    where c.task_id = _task_id;
end
$$;
comment on function internal.record_change(bigint, text, jsonb, timestamptz, bigint, integer) is
    'Records a change of a waiting task.';
