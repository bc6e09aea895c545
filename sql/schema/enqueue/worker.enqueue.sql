-- worker.enqueue(p_command, p_payload, p_scheduled_at, p_priority, p_max_attempts, p_backoff)
-- Adds a task of a command in the caller's transaction, or merges it into the waiting one.  It returns the id of the task that
-- will do the work.  A waiting task keeps its own policy of retries.
create or replace function worker.enqueue(p_command text, p_payload jsonb default '{}', p_scheduled_at timestamptz default null,
        p_priority bigint default null, p_max_attempts integer default null, p_backoff jsonb default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.enqueue_command(p_command, p_payload, p_scheduled_at, p_priority, null, null, p_max_attempts, p_backoff);
end
$$;
comment on function worker.enqueue(text, jsonb, timestamptz, bigint, integer, jsonb) is
    'Adds a task of a command; returns the id of the task that will do the work.';
