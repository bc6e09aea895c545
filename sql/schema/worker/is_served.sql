-- internal.live_workers(), internal.is_served(_task_type, _queue)
-- live_workers: the workers that have given a sign of life in the last minute.  A sign from the future was given before the server's clock
-- was set back.  is_served: would one of them take a task of this type (and queue)?
create or replace function internal.live_workers() returns setof queues.worker_seen
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select w.* from queues.worker_seen as w
    where w.seen_at > clock_timestamp() - interval '60 seconds' and w.seen_at < clock_timestamp() + interval '60 seconds'
$$;
comment on function internal.live_workers() is 'Workers that have given a sign of life in the last minute.';

create or replace function internal.is_served(_task_type text, _queue text) returns boolean
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from internal.live_workers() as w
                   where (w.types is null or _task_type = any(w.types))
                     and (w.queues is null or _queue is null or _queue = any(w.queues)))
$$;
comment on function internal.is_served(text, text) is 'Whether a live worker serves a type and queue.';
