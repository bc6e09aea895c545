-- Fact: a person changed a rule or acted on a task.
create table queues.audit (
    audit_id  bigint generated always as identity,
    acted_at  timestamptz not null,
    actor     text not null,
    action    text not null,
    object    text not null,
    detail    jsonb,
    via       text,
    constraint audit_pkey primary key (audit_id)
);
-- Who paused a queue (queues.why).
create index audit_pause_idx on queues.audit (object, audit_id) where action = 'pause_queue';
comment on table queues.audit is 'Acts of operators and administrators, with the login or person that did them.';
comment on column queues.audit.actor is 'Login that acted, or the person whom the dashboard named.';
comment on column queues.audit.via is 'Login whose session acted for the actor; null: the actor is the login.';
