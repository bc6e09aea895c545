-- One row per unit of work, inserted by queues.enqueue and never changed.  Columns after scheduled_at are null if the default of
-- the type holds: a null costs one bit, and most tasks need none of them.  There is no check constraint: every statement would
-- read it again, which costs as much as the row.  queues.check checks the same rules.
create table queues.task (
    task_id          bigint generated always as identity,
    task_type        queues.task_type not null,
    payload          jsonb not null,
    enqueued_at      timestamptz not null default now(),
    scheduled_at     timestamptz not null default now(),
    queue            text not null,
    priority         bigint not null default 0,
    task_uuid        uuid,
    max_crashes      smallint,
    timeout          interval,
    on_in_doubt      text,
    idempotency_key  text,
    dedup_key        text,
    origin_task_id   bigint,
    process_id       bigint,
    is_supervisor_run          boolean,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint,
    constraint task_pkey primary key (task_id)
);
-- Retention and the history of a process read the tasks of one process.
create index task_process_idx on queues.task (process_id, task_id) where process_id is not null;
-- Retention and the history of a tree read the children of a parent.
create index task_parent_idx on queues.task (parent_id, task_id) where parent_id is not null;
-- The processes that a task started or woke up, for schedules whose work is to do that.
create index task_origin_idx on queues.task (origin_task_id) where is_supervisor_run and origin_task_id is not null;
-- Was a task repeated by hand, or as its next attempt?
create index task_retry_of_idx on queues.task (retry_of) where retry_of is not null;
-- Commands by name (worker.tasks), whatever the size of other history.
create index task_command_idx on queues.task ((payload->>'command'), task_id) where task_type = 'command';
-- The frequency of each command: the newest tasks of a common command are found from the end, all tasks of a rare one by its
-- name.  Servers before 14 have no such statistics.
do $$
begin
    if current_setting('server_version_num')::integer >= 140000 then
        execute 'create statistics queues.task_command_stat on (payload->>''command'') from queues.task';
        execute 'comment on statistics queues.task_command_stat is ''How common each command is.''';
    end if;
end
$$;
comment on table queues.task is 'Every unit of work, as it was enqueued. Rows are never changed.';
comment on column queues.task.task_type is 'Type of the work: a row of queues.registered_task_type.';
comment on column queues.task.payload is 'The work, a JSON object. After a merge, a lease has its own: queues.task_lease.payload.';
comment on column queues.task.enqueued_at is 'Start of the transaction that enqueued it.';
comment on column queues.task.scheduled_at is 'Earliest start.';
comment on column queues.task.queue is 'Name of its queue.';
comment on column queues.task.priority is 'Smaller numbers are claimed first.';
comment on column queues.task.task_uuid is 'Random public name of a channel task; null for database work.';
comment on column queues.task.max_crashes is 'Leases that may die before quarantine; null: as its type.';
comment on column queues.task.timeout is 'Longest time of one run; null: as its type.';
comment on column queues.task.on_in_doubt is 'retry or fail; null: as its type.';
comment on column queues.task.idempotency_key is 'Key of the logical send; null: the enqueuer gave none.';
comment on column queues.task.dedup_key is 'Key for which a waiting duplicate was looked for; null: none.';
comment on column queues.task.origin_task_id is 'Task whose run enqueued this one; null: none.';
comment on column queues.task.process_id is 'Supervised process that the task belongs to; null: none.';
comment on column queues.task.is_supervisor_run is 'True: a run of the supervisor itself.';
comment on column queues.task.parent_id is 'Parent task, which waits for this one; null: none.';
comment on column queues.task.depth is 'Distance from the top of its tree; null: 0.';
comment on column queues.task.retry_of is 'Completed task that this one repeats: by hand, or as its next attempt (queues.task_attempt); null: none.';
