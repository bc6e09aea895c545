-- worker.spawn(p_command, p_payload, p_parent_id, p_priority, p_child_mode, p_scheduled_at, p_max_attempts, p_backoff)
-- Adds a child of a task.  The child may run after this transaction has committed, and the parent waits for it.  Without a parent
-- this is worker.enqueue.
create or replace function worker.spawn(p_command text, p_payload jsonb default '{}', p_parent_id bigint default null,
        p_priority bigint default null, p_child_mode worker.child_mode default null,
        p_scheduled_at timestamptz default null, p_max_attempts integer default null, p_backoff jsonb default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.enqueue_command(p_command, p_payload, p_scheduled_at, p_priority, p_parent_id, p_child_mode, p_max_attempts, p_backoff);
end
$$;
comment on function worker.spawn(text, jsonb, bigint, bigint, worker.child_mode, timestamptz, integer, jsonb) is 'Adds a child of a task.';
