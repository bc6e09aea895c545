-- 0003_comms_files: messages and files, and what their supervisors write down.
-- Locks: allowed_function exclusively, for a moment; enqueuers and workers read it.
alter table internal.allowed_function add column returns_facts boolean not null default false;
comment on column internal.allowed_function.returns_facts is
    'True: its answer always brings the facts that it saw, so that they need not be read for it.';
-- module: comms
-- Types of messages.
create type comms.channel as enum ('email', 'sms');
comment on type comms.channel is 'How a message travels: email or sms.';
-- One message to one recipient; what it says is in the table of its channel.
create table comms.message (
    message_id  bigint generated always as identity,
    channel     comms.channel not null,
    created_at  timestamptz not null default now(),
    constraint message_pkey primary key (message_id)
);
comment on table comms.message is 'Messages; the content is in comms.email_message or comms.sms_message.';
comment on column comms.message.channel is 'How it travels.';
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
-- What a text message says, and to whom.
create table comms.sms_message (
    message_id  bigint not null,
    to_number   text not null,
    body        text not null,
    constraint sms_message_pkey primary key (message_id),
    constraint sms_message_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.sms_message is 'Text messages: content of messages of channel sms.';
-- Texts of e-mails with ${key} in the places that differ (comms.render_email_template).
create table comms.email_template (
    email_template_id  bigint generated always as identity,
    template_key       text not null,
    subject            text not null,
    body               text not null,
    body_params        text[] not null default '{}',
    description        text,
    created_at         timestamptz not null default now(),
    constraint email_template_pkey primary key (email_template_id),
    constraint email_template_template_key_key unique (template_key)
);
comment on table comms.email_template is 'Texts of e-mails with ${key} in the places that differ.';
comment on column comms.email_template.template_key is 'Name by which it is rendered.';
comment on column comms.email_template.body_params is 'Keys that are replaced, in subject and body; every other ${key} stays as it is.';
-- Texts of text messages with ${key} in the places that differ (comms.render_sms_template).
create table comms.sms_template (
    sms_template_id  bigint generated always as identity,
    template_key     text not null,
    body             text not null,
    body_params      text[] not null default '{}',
    description      text,
    created_at       timestamptz not null default now(),
    constraint sms_template_pkey primary key (sms_template_id),
    constraint sms_template_template_key_key unique (template_key)
);
comment on table comms.sms_template is 'Texts of text messages with ${key} in the places that differ.';
comment on column comms.sms_template.template_key is 'Name by which it is rendered.';
comment on column comms.sms_template.body_params is 'Keys that are replaced; every other ${key} stays as it is.';
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
-- Fact: one try to send an e-mail, and the task that carries it out.
create table comms.send_email_attempt (
    send_email_attempt_id  bigint generated always as identity,
    send_email_task_id     bigint not null,
    created_at             timestamptz not null default now(),
    task_id                bigint not null,
    constraint send_email_attempt_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_task_fkey foreign key (send_email_task_id) references comms.send_email_task
);
create index send_email_attempt_task_idx on comms.send_email_attempt (send_email_task_id);
comment on table comms.send_email_attempt is 'Tries to send an e-mail.';
comment on column comms.send_email_attempt.task_id is 'Task of the engine that carries it out (queues.task; no foreign key: old tasks are removed).';
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
-- Fact: a text message is to be sent.  The root of one supervised process; at most one per message.
create table comms.send_sms_task (
    send_sms_task_id  bigint generated always as identity,
    message_id        bigint not null,
    created_at        timestamptz not null default now(),
    task_uuid         uuid not null default gen_random_uuid(),
    constraint send_sms_task_pkey primary key (send_sms_task_id),
    constraint send_sms_task_message_id_key unique (message_id),
    constraint send_sms_task_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.send_sms_task is 'Text messages that are to be sent: roots of comms.send_sms_supervisor.';
comment on column comms.send_sms_task.task_uuid is 'Random name of the logical send: every attempt carries it as idempotency key.';
-- Fact: one try to send a text message, and the task that carries it out.
create table comms.send_sms_attempt (
    send_sms_attempt_id  bigint generated always as identity,
    send_sms_task_id     bigint not null,
    created_at           timestamptz not null default now(),
    task_id              bigint not null,
    constraint send_sms_attempt_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_task_fkey foreign key (send_sms_task_id) references comms.send_sms_task
);
create index send_sms_attempt_task_idx on comms.send_sms_attempt (send_sms_task_id);
comment on table comms.send_sms_attempt is 'Tries to send a text message.';
comment on column comms.send_sms_attempt.task_id is 'Task of the engine that carries it out (queues.task; no foreign key: old tasks are removed).';
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
-- Fact: an attempt to send a text message has failed.  An attempt has this or a success, never both.
create table comms.send_sms_attempt_failed (
    send_sms_attempt_id  bigint not null,
    error_message        text not null,
    created_at           timestamptz not null default now(),
    in_doubt             boolean not null default false,
    error_class          text,
    constraint send_sms_attempt_failed_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_failed_attempt_fkey foreign key (send_sms_attempt_id) references comms.send_sms_attempt
);
comment on table comms.send_sms_attempt_failed is 'Attempts that failed, were lost, or are in doubt.';
comment on column comms.send_sms_attempt_failed.in_doubt is 'True: it may have been sent all the same.';
comment on column comms.send_sms_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
-- end of module
-- module: files
-- A stored object that the application knows; its bytes are with the files service.
create table files.file (
    file_id     bigint generated always as identity,
    bucket      text not null,
    object_key  text not null,
    mime_type   text,
    created_at  timestamptz not null default now(),
    constraint file_pkey primary key (file_id),
    constraint file_object_key_key unique (object_key)
);
comment on table files.file is 'Files that are stored outside; rows stay when a file is deleted (files.file_metadata).';
-- What is known about a file, key by key; the only table here whose rows change.
create table files.file_metadata (
    file_metadata_id  bigint generated always as identity,
    file_id           bigint not null,
    key               text not null,
    value             jsonb not null,
    created_at        timestamptz not null default now(),
    constraint file_metadata_pkey primary key (file_metadata_id),
    constraint file_metadata_file_id_key_key unique (file_id, key),
    constraint file_metadata_file_fkey foreign key (file_id) references files.file
);
comment on table files.file_metadata is 'What is known about files.';
comment on column files.file_metadata.key is 'name, duration, deleted (true: the object is gone), or a key of the application.';
-- Fact: a file is to be deleted.  The root of one supervised process; a file whose deletion got
-- stuck may have several.
create table files.file_deletion_task (
    file_deletion_task_id  bigint generated always as identity,
    file_id                bigint not null,
    created_at             timestamptz not null default now(),
    task_uuid              uuid not null default gen_random_uuid(),
    constraint file_deletion_task_pkey primary key (file_deletion_task_id),
    constraint file_deletion_task_file_fkey foreign key (file_id) references files.file
);
create index file_deletion_task_file_idx on files.file_deletion_task (file_id, file_deletion_task_id);
comment on table files.file_deletion_task is 'Files that are to be deleted: roots of files.file_deletion_supervisor.';
comment on column files.file_deletion_task.task_uuid is 'Random name of the logical deletion.';
-- Fact: one try to delete a file, and the task that carries it out.
create table files.file_deletion_attempt (
    file_deletion_attempt_id  bigint generated always as identity,
    file_deletion_task_id     bigint not null,
    created_at                timestamptz not null default now(),
    task_id                   bigint not null,
    constraint file_deletion_attempt_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_task_fkey foreign key (file_deletion_task_id) references files.file_deletion_task
);
create index file_deletion_attempt_task_idx on files.file_deletion_attempt (file_deletion_task_id);
comment on table files.file_deletion_attempt is 'Tries to delete a file.';
comment on column files.file_deletion_attempt.task_id is 'Task of the engine that carries it out (queues.task; no foreign key: old tasks are removed).';
-- Fact: a file is gone.  An attempt has this or a failure, never both.
create table files.file_deletion_attempt_succeeded (
    file_deletion_attempt_id  bigint not null,
    created_at                timestamptz not null default now(),
    constraint file_deletion_attempt_succeeded_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_succeeded_attempt_fkey foreign key (file_deletion_attempt_id)
        references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_succeeded is 'Attempts after which the file was gone.';
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
comment on column files.file_deletion_attempt_failed.in_doubt is 'True: the file may be gone all the same.';
comment on column files.file_deletion_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
-- end of module
