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
