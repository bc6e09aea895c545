-- Fact: a worker program began.
create table queues.worker_started (
    worker_id        uuid not null,
    worker_name      text not null,
    version          text not null,
    host             text,
    pid              integer,
    single_instance  boolean not null default false,
    started_at       timestamptz not null,
    constraint worker_started_pkey primary key (worker_id)
);
comment on table queues.worker_started is 'Worker programs that began.';
comment on column queues.worker_started.host is 'Address of the program, as seen by the server; null: a local socket.';
comment on column queues.worker_started.pid is 'Process id of its first backend.';
