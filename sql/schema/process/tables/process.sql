-- Fact: one supervised piece of work, that is a supervisor and the ids that it works on.
create table queues.process (
    process_id         bigint generated always as identity,
    supervisor         text not null,
    ids                jsonb not null,
    parent_process_id  bigint,
    created_at         timestamptz not null,
    constraint process_pkey primary key (process_id),
    constraint process_supervisor_ids_key unique (supervisor, ids)
);
create index process_parent_idx on queues.process (parent_process_id) where parent_process_id is not null;
comment on table queues.process is 'Supervised processes.';
comment on column queues.process.supervisor is 'schema.name of the supervisor function.';
comment on column queues.process.ids is 'Ids that identify this process among those of the supervisor.';
comment on column queues.process.parent_process_id is 'Process whose run created this one; null: none.';
