-- internal.absorb(_queue_id, _type_id, _key, _policy, _payload, _at, _priority)
-- Applies the dedup policy to the waiting task of this key, and returns the id of the task that will do the work.  Null: add a new
-- task, because none waits, because it was claimed while we waited for its row, or because it has just been superseded.
-- A merge or a replacement changes the waiting task: the caller needs the right to enqueue it (internal.check_reserved), and the
-- merged payload is checked like a new one.  A next attempt keeps the time that its policy gave it.
-- The ready row stays locked, so that the task starts after this transaction and sees its data.
create or replace function internal.absorb(_queue_id integer, _type_id smallint, _key text, _policy text, _payload jsonb,
        _at timestamptz, _priority bigint) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
    _waiting jsonb;
    _merged jsonb;
begin
    if _policy = 'skip' then
        select r.* into _row from queues.ready as r
        where r.queue_id = _queue_id and r.dedup_key = _key and r.lease_no = 0
        for share;
        return _row.task_id;
    end if;
    select r.* into _row from queues.ready as r
    where r.queue_id = _queue_id and r.dedup_key = _key and r.lease_no = 0
    for update;
    if not found then
        return null;
    end if;
    if _policy = 'error' then
        raise exception using errcode = '23505',
            message = format('task %s with dedup key "%s" is already waiting', _row.task_id, _key);
    end if;
    _waiting := coalesce(_row.payload, (select t.payload from queues.task as t where t.task_id = _row.task_id));
    perform internal.check_reserved(_waiting);
    if _policy = 'replace' then
        perform internal.drop_ready(_row, 'superseded', 'replaced by a newer task of the same dedup key');
        -- The replaced task was a run, and the newer task belongs to another process: the old process may have ended.
        if _row.is_supervisor_run and not exists (
                select 1 from queues.process as p
                where p.process_id = _row.process_id and p.supervisor = _payload->>'db_function'
                  and p.ids = internal.process_ids(p.supervisor, _payload)) then
            perform internal.close_process_if_done(_row.process_id, 'superseded', null);
        end if;
        return null;
    end if;
    if _row.type_id <> _type_id then
        raise exception using errcode = '22023',
            message = format('task %s, which waits with dedup key "%s", is of another type', _row.task_id, _key),
            hint = 'Only tasks of one type are merged. Use another key.';
    end if;
    if internal.is_repeated(_row.task_id) then
        _at := _row.available_at;
    end if;
    _merged := _waiting || _payload;
    if internal.check_names(_merged) is distinct from (case when _row.is_supervisor_run then 'supervisor' end) then
        raise exception using errcode = '22023', message = format('task %s cannot become, or cease to be, the run of a process', _row.task_id);
    end if;
    perform internal.check_payload(_merged, internal.number_setting('max_payload_bytes')::integer);
    -- The caller must also have the right to enqueue the merged payload.
    perform internal.check_request(t.adapter, _merged) from queues.registered_task_type as t where t.type_id = _row.type_id;
    update queues.ready as r
    set payload = _merged, available_at = least(_row.available_at, _at), priority = least(_row.priority, _priority),
        destination = (select internal.call_destination(t.adapter, _merged) from queues.registered_task_type as t
                       where t.type_id = _row.type_id)
    where r.queue_id = _row.queue_id and r.priority = _row.priority
      and r.available_at = _row.available_at and r.task_id = _row.task_id;
    perform internal.record_change(_row.task_id, 'merge', _payload, least(_row.available_at, _at),
                                 least(_row.priority, _priority), _row.lease_no);
    return _row.task_id;
end
$$;
comment on function internal.absorb(integer, smallint, text, text, jsonb, timestamptz, bigint) is
    'Applies the dedup policy to the waiting task of a key.';
