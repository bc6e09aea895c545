-- internal.cancel_state(_task_id)
-- The answer of queues.renew for a leased task whose cancellation is requested.
create or replace function internal.cancel_state(_task_id bigint) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select case when y.is_interrupted then 'stop' else 'cancel_requested' end
            from queues.running as r join queues.registered_task_type as y on y.type_id = r.type_id where r.task_id = _task_id);
end
$$;
comment on function internal.cancel_state(bigint) is 'Whether a run is interrupted by a cancellation.';
