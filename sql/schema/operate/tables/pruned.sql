-- Fact: retention removed a range of old completed tasks.
create table queues.pruned (
    prune_id      bigint generated always as identity,
    pruned_at     timestamptz not null,
    from_task_id  bigint not null,
    to_task_id    bigint not null,
    tasks         bigint not null,
    constraint pruned_pkey primary key (prune_id)
);
comment on table queues.pruned is 'Ranges of tasks that retention has removed.';
