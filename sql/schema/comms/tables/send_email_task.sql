-- Fact: an e-mail is to be sent.  The root of one supervised process; at most one per message.
create table comms.send_email_task (
    send_email_task_id  bigint generated always as identity,
    message_id          bigint not null,
    created_at          timestamptz not null default now(),
    task_uuid           uuid not null default gen_random_uuid(),
    constraint send_email_task_pkey primary key (send_email_task_id),
    constraint send_email_task_message_id_key unique (message_id),
    constraint send_email_task_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.send_email_task is 'E-mails that are to be sent: roots of comms.send_email_supervisor.';
comment on column comms.send_email_task.task_uuid is 'Random name of the logical send: every attempt carries it as idempotency key.';
