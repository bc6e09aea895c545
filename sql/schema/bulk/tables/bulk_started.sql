-- Fact: a login began or went on with an act.  Each such row has an entry in the audit.
create table queues.bulk_started (
    act_id      bigint not null,
    started_by  text not null,
    started_at  timestamptz not null,
    constraint bulk_started_pkey primary key (act_id, started_by)
);
comment on table queues.bulk_started is 'Logins that carried out an act.';
