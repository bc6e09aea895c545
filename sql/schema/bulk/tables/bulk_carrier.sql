-- The task that carries an act out in the background, batch by batch: one task per act at a time, others do nothing.  It is no fact: each batch
-- that leaves something to do puts its successor here.
create table internal.bulk_carrier (
    act_id      bigint not null,
    task_id     bigint not null,
    role        name not null,
    actor       text not null,
    started_at  timestamptz not null,
    constraint bulk_carrier_pkey primary key (act_id)
);
comment on table internal.bulk_carrier is 'Tasks that carry acts out in the background.';
comment on column internal.bulk_carrier.task_id is 'The task whose run may do the next batch.';
comment on column internal.bulk_carrier.role is 'Role that started it: its rights count, asked again for each batch.';
comment on column internal.bulk_carrier.actor is 'Who started it, and is on record for what it does.';
