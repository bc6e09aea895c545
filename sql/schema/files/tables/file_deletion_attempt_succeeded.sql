-- Fact: a file was deleted.  An attempt has this or a failure, never both.
create table files.file_deletion_attempt_succeeded (
    file_deletion_attempt_id  bigint not null,
    created_at                timestamptz not null default now(),
    constraint file_deletion_attempt_succeeded_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_succeeded_attempt_fkey foreign key (file_deletion_attempt_id)
        references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_succeeded is 'Attempts after which the file was gone.';
