-- internal.trace_for(_payload, _origin, _retry_of)
-- The trace of a new task, from the first of these that has one: the attempt before it, the field traceparent of its payload, the task
-- whose run enqueues it, the setting of the session outside a run.  Nulls: none.  A text that is no traceparent counts as absent.
create or replace function internal.trace_for(_payload jsonb, _origin bigint, _retry_of bigint default null,
        out traceparent text, out follows bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
begin
    if _retry_of is not null then
        select x.traceparent, x.task_id into traceparent, follows from queues.task_trace as x where x.task_id = _retry_of;
    end if;
    if traceparent is null and _payload ? 'traceparent' then
        traceparent := internal.valid_traceparent(_payload->>'traceparent');
    end if;
    if traceparent is null and _origin is not null then
        select x.traceparent, x.task_id into traceparent, follows from queues.task_trace as x where x.task_id = _origin;
    elsif traceparent is null then
        traceparent := internal.valid_traceparent(current_setting('reeve.traceparent', true));
    end if;
end
$$;
comment on function internal.trace_for(jsonb, bigint, bigint) is 'The trace of a new task; nulls: none.';
