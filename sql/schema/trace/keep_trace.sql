-- internal.keep_trace(_task_id, _payload, _origin, _retry_of)
-- Records the trace of a new task, if it has one.  Callers ask first whether there can be one (the setting, the field, a run or an
-- attempt that is traced), because this call would cost as much as a further insert.
create or replace function internal.keep_trace(_task_id bigint, _payload jsonb, _origin bigint, _retry_of bigint default null)
    returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    insert into queues.task_trace (task_id, traceparent, follows)
    select _task_id, t.traceparent, t.follows from internal.trace_for(_payload, _origin, _retry_of) as t where t.traceparent is not null
$$;
comment on function internal.keep_trace(bigint, jsonb, bigint, bigint) is 'Records the trace of a new task, if it has one.';
