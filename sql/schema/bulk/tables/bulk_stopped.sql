-- Fact: somebody stopped an act for good.  Ids without a result stay without one.
create table queues.bulk_stopped (
    act_id      bigint not null,
    stopped_at  timestamptz not null,
    stopped_by  text not null,
    constraint bulk_stopped_pkey primary key (act_id)
);
comment on table queues.bulk_stopped is 'Acts that were stopped before their end.';
