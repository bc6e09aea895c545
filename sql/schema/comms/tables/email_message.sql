-- What an e-mail says, and to whom.
create table comms.email_message (
    message_id    bigint not null,
    from_address  text not null,
    to_address    text not null,
    subject       text not null,
    html          text not null,
    constraint email_message_pkey primary key (message_id),
    constraint email_message_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.email_message is 'E-mails: content of messages of channel email.';
