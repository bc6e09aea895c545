-- internal.is_served(_task_type, _queue)
-- Would a live worker take a task of this type (and queue)?  A sign of life from the future was given before the server's clock
-- was set back.
create or replace function internal.is_served(_task_type text, _queue text) returns boolean
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from queues.worker_seen as w
                   where w.seen_at > clock_timestamp() - interval '60 seconds'
                     and w.seen_at < clock_timestamp() + interval '60 seconds'
                     and (w.types is null or _task_type = any(w.types))
                     and (w.queues is null or _queue is null or _queue = any(w.queues)))
$$;
comment on function internal.is_served(text, text) is 'Whether a live worker serves a type and queue.';
