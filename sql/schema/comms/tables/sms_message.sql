-- What a text message says, and to whom.
create table comms.sms_message (
    message_id  bigint not null,
    to_number   text not null,
    body        text not null,
    constraint sms_message_pkey primary key (message_id),
    constraint sms_message_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.sms_message is 'Text messages: content of messages of channel sms.';
