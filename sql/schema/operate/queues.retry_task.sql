-- queues.retry_task(_task_id, _scheduled_at, _same_key)
-- Repeats a completed task, as a new task that refers to the old one.  It gets a new idempotency key, unless the caller asks
-- otherwise or the old task ended in doubt.
create or replace function queues.retry_task(_task_id bigint, _scheduled_at timestamptz default now(),
        _same_key boolean default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _answer record;
    _at constant timestamptz := coalesce(_scheduled_at, now());
begin
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
    end if;
    select r.* into strict _answer from internal.repeat_tasks(array[_task_id], _at, _same_key, false) as r;
    if _answer.code is not null then
        raise exception using errcode = _answer.code, message = _answer.message, hint = coalesce(_answer.hint, '');
    end if;
    perform internal.audit('retry_task', _task_id::text, jsonb_build_object('new_task_id', _answer.new_task_id));
    return _answer.new_task_id;
end
$$;
comment on function queues.retry_task(bigint, timestamptz, boolean) is 'Repeats a completed task, as a new task.';
