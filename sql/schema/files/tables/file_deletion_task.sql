-- Fact: a file is to be deleted.  It is the root of one supervised process; a file whose deletion got stuck may have several.
create table files.file_deletion_task (
    file_deletion_task_id  bigint generated always as identity,
    file_id                bigint not null,
    created_at             timestamptz not null default now(),
    task_uuid              uuid not null default gen_random_uuid(),
    constraint file_deletion_task_pkey primary key (file_deletion_task_id),
    constraint file_deletion_task_file_fkey foreign key (file_id) references files.file
);
create index file_deletion_task_file_idx on files.file_deletion_task (file_id, file_deletion_task_id);
comment on table files.file_deletion_task is 'Files that are to be deleted: roots of files.file_deletion_supervisor.';
comment on column files.file_deletion_task.task_uuid is 'Random public name of the deletion.';
