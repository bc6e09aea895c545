-- Named queues with their limits.  It is no hot table: only people change it.
create table queues.queue (
    queue            text not null,
    queue_id         integer generated always as identity,
    description      text,
    max_running      integer default 1,
    top_level_limit  integer default 1,
    paused_until     timestamptz,
    created_at       timestamptz not null default clock_timestamp(),
    constraint queue_pkey primary key (queue),
    constraint queue_queue_id_key unique (queue_id),
    constraint queue_form check (queue ~ '^[a-z][a-z0-9_.-]{0,62}$'),
    constraint max_running_positive check (max_running >= 1),
    constraint top_level_limit_positive check (top_level_limit >= 1)
);
comment on table queues.queue is 'Named queues and their limits.';
comment on column queues.queue.queue_id is 'Number used for the queue in the working tables.';
comment on column queues.queue.max_running is 'Tasks of this queue that may run at once, over all workers; null: no limit.';
comment on column queues.queue.top_level_limit is
    'Tasks without a parent that may be running, handler-pending or waiting at once; null: no limit.';
comment on column queues.queue.paused_until is 'End of a pause; infinity: until resumed; null: not paused.';
