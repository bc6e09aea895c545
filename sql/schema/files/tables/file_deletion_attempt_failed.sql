-- Fact: an attempt to delete a file has failed.  An attempt has this or a success, never both.
create table files.file_deletion_attempt_failed (
    file_deletion_attempt_id  bigint not null,
    error_message             text not null,
    created_at                timestamptz not null default now(),
    in_doubt                  boolean not null default false,
    error_class               text,
    constraint file_deletion_attempt_failed_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_failed_attempt_fkey foreign key (file_deletion_attempt_id)
        references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_failed is 'Attempts that failed or were lost.';
comment on column files.file_deletion_attempt_failed.in_doubt is 'True: the file may nevertheless be deleted.';
comment on column files.file_deletion_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
