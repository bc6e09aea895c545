-- Fact: one attempt to delete a file, and its task.
create table files.file_deletion_attempt (
    file_deletion_attempt_id  bigint generated always as identity,
    file_deletion_task_id     bigint not null,
    created_at                timestamptz not null default now(),
    task_id                   bigint not null,
    constraint file_deletion_attempt_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_task_fkey foreign key (file_deletion_task_id) references files.file_deletion_task
);
create index file_deletion_attempt_task_idx on files.file_deletion_attempt (file_deletion_task_id);
comment on table files.file_deletion_attempt is 'Attempts to delete a file.';
comment on column files.file_deletion_attempt.task_id is 'Task of the attempt (queues.task; no foreign key: old tasks are removed).';
