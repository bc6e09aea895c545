-- Fact: an operator gave an ended process a new run.
create table queues.process_revived (
    process_id  bigint not null,
    revived_at  timestamptz not null,
    revived_by  text not null,
    task_id     bigint not null,
    constraint process_revived_pkey primary key (process_id, task_id)
);
comment on table queues.process_revived is 'Revivals: idle and failure counts start again.';
