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
