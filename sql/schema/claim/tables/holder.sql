-- Holders of leases: a worker (or a client without one) on one backend.  A lease stores one number instead of five columns.
create table queues.holder (
    holder_id      integer generated always as identity,
    worker_id      uuid,
    leased_by      name not null,
    backend_pid    integer not null,
    backend_start  timestamptz,
    created_at     timestamptz not null default clock_timestamp(),
    constraint holder_pkey primary key (holder_id)
);
create index holder_backend_idx on queues.holder (backend_pid, worker_id, holder_id);
comment on table queues.holder is 'Sessions that took leases.';
comment on column queues.holder.worker_id is 'The worker; null: a SQL client that dequeued.';
comment on column queues.holder.leased_by is 'Login role of the session.';
comment on column queues.holder.backend_start is 'With the pid it names one backend for ever; null: not visible to the caller.';
