-- Fact: the provider has accepted a text message.  An attempt has this or a failure, never both.
create table comms.send_sms_attempt_succeeded (
    send_sms_attempt_id  bigint not null,
    created_at           timestamptz not null default now(),
    provider_id          text,
    constraint send_sms_attempt_succeeded_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_succeeded_attempt_fkey foreign key (send_sms_attempt_id) references comms.send_sms_attempt
);
comment on table comms.send_sms_attempt_succeeded is 'Attempts that the provider accepted.';
comment on column comms.send_sms_attempt_succeeded.provider_id is 'What the provider calls the message; null: it did not say.';
