-- One message to one recipient; its text is in the table of its channel.
create table comms.message (
    message_id  bigint generated always as identity,
    channel     comms.channel not null,
    created_at  timestamptz not null default now(),
    constraint message_pkey primary key (message_id)
);
comment on table comms.message is 'Messages; the content is in comms.email_message or comms.sms_message.';
comment on column comms.message.channel is 'How it travels.';
