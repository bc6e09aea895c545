-- Fact: a worker program ended regularly.
create table queues.worker_stopped (
    worker_id   uuid not null,
    stopped_at  timestamptz not null,
    reason      text,
    constraint worker_stopped_pkey primary key (worker_id)
);
comment on table queues.worker_stopped is 'Worker programs that ended regularly.';
