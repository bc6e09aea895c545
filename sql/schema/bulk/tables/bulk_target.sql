-- Fact: an act is to be done to this thing.  The rows are made by previews and stay as they are.
create table queues.bulk_target (
    act_id     bigint not null,
    target_id  bigint not null,
    constraint bulk_target_pkey primary key (act_id, target_id)
);
comment on table queues.bulk_target is 'The frozen ids of an act: what was counted is what is done.';
comment on column queues.bulk_target.target_id is 'Task, process or job, as the kind of the act says.';
