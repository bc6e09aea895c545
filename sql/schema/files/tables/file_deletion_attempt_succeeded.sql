-- Fact: the provider has accepted an e-mail.  An attempt has this or a failure, never both.
create table files.file_deletion_attempt_succeeded (
    file_deletion_attempt_id  bigint not null,
    created_at             timestamptz not null default now(),
    provider_id            text,
    constraint file_deletion_attempt_succeeded_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_succeeded_attempt_fkey foreign key (file_deletion_attempt_id) references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_succeeded is 'Attempts that the provider accepted.';
comment on column files.file_deletion_attempt_succeeded.provider_id is 'What the provider calls the message; null: it did not say.';
