-- The last sign of life of each live worker, and the queues and types that it serves.  It is no fact: it lets a person see a task
-- that nobody would take.
create table queues.worker_seen (
    worker_id     uuid not null,
    seen_at       timestamptz not null,
    queues        text[],
    types         text[],
    closed        text[],
    closed_until  timestamptz[],
    constraint worker_seen_pkey primary key (worker_id)
) with (fillfactor = 50);
comment on table queues.worker_seen is 'Last sign of life of each worker.';
comment on column queues.worker_seen.queues is 'Queues that the worker serves; null: all.';
comment on column queues.worker_seen.types is 'Task types that the worker serves; null: all.';
comment on column queues.worker_seen.closed is 'Destinations that the worker does not call for a while, because they failed; null: none.';
comment on column queues.worker_seen.closed_until is 'End of that time, for each of them.';
