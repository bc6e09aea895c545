-- One row per unit of work, inserted by queues.enqueue and never changed.
-- Columns after scheduled_at are null where the default of the type holds:
-- a null costs one bit, and most tasks need none of them.  No check constraint: it would be read
-- anew by every statement, which costs as much as the row; queues.check looks at what it would say.
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
-- Retention and the story of a process read the tasks of one process.
create index task_process_idx on queues.task (process_id, task_id) where process_id is not null;
-- The tree of a parent, for retention and for its own story.
create index task_parent_idx on queues.task (parent_id, task_id) where parent_id is not null;
-- Commands by name (worker.tasks), however much other history there is.
create index task_command_idx on queues.task ((payload->>'command'), task_id) where task_type = 'command';
-- How common each command is: the newest of a common one are found from the end, all of a rare
-- one by its name.  Servers before 14 know no such statistics, and the index has none of its own.
do $$
begin
    if current_setting('server_version_num')::integer >= 140000 then
        execute 'create statistics queues.task_command_stat on (payload->>''command'') from queues.task';
        execute 'comment on statistics queues.task_command_stat is ''How common each command is.''';
    end if;
end
$$;
comment on table queues.task is 'Every unit of work, as it was enqueued. Rows are never changed.';
comment on column queues.task.task_type is 'What kind of work; a row of queues.registered_task_type.';
comment on column queues.task.payload is 'The work, a JSON object. A merge may hand out another one: see queues.task_lease.payload.';
comment on column queues.task.enqueued_at is 'Start of the transaction that enqueued it.';
comment on column queues.task.scheduled_at is 'Not started before this time.';
comment on column queues.task.queue is 'Name of its queue.';
comment on column queues.task.priority is 'Smaller first.';
comment on column queues.task.task_uuid is 'Random name for the outside, of channel tasks; null for database work.';
comment on column queues.task.max_crashes is 'Leases that may die before quarantine; null: as its type.';
comment on column queues.task.timeout is 'How long one run may take; null: as its type.';
comment on column queues.task.on_in_doubt is 'retry or fail; null: as its type.';
comment on column queues.task.idempotency_key is 'Key of the logical send, if the enqueuer gave one.';
comment on column queues.task.dedup_key is 'Key under which a waiting duplicate was looked for.';
comment on column queues.task.origin_task_id is 'Task whose run enqueued this one.';
comment on column queues.task.process_id is 'Supervised process it belongs to.';
comment on column queues.task.is_supervisor_run is 'True: it is a run of the supervisor itself.';
comment on column queues.task.parent_id is 'Task that waits for this one.';
comment on column queues.task.depth is 'Distance from the top of its tree; null: 0.';
comment on column queues.task.retry_of is 'Completed task that an operator asked to do again.';
