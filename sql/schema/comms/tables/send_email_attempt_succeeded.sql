-- Fact: the provider has accepted an e-mail.  An attempt has this or a failure, never both.
create table comms.send_email_attempt_succeeded (
    send_email_attempt_id  bigint not null,
    created_at             timestamptz not null default now(),
    provider_id            text,
    constraint send_email_attempt_succeeded_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_succeeded_attempt_fkey foreign key (send_email_attempt_id) references comms.send_email_attempt
);
comment on table comms.send_email_attempt_succeeded is 'Attempts that the provider accepted.';
comment on column comms.send_email_attempt_succeeded.provider_id is 'What the provider calls the message; null: it did not say.';
