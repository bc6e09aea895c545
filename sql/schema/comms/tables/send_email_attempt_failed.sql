-- Fact: an attempt to send an e-mail has failed.  An attempt has this or a success, never both.
create table comms.send_email_attempt_failed (
    send_email_attempt_id  bigint not null,
    error_message          text not null,
    created_at             timestamptz not null default now(),
    in_doubt               boolean not null default false,
    error_class            text,
    constraint send_email_attempt_failed_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_failed_attempt_fkey foreign key (send_email_attempt_id) references comms.send_email_attempt
);
comment on table comms.send_email_attempt_failed is 'Attempts that failed, were lost, or are in doubt.';
comment on column comms.send_email_attempt_failed.in_doubt is 'True: it may have been sent all the same.';
comment on column comms.send_email_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
