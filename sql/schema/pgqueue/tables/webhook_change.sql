-- The rows that one large statement changed, as they were: the user's transaction pays for one
-- insert, and a worker makes the jobs.  Not a fact: a row goes when its jobs are there.
create table pgqueue.webhook_change (
    change_id     bigint generated always as identity,
    webhook_id    bigint,
    arguments     text[],
    table_schema  name not null,
    table_name    name not null,
    event         text not null,
    changed_at    timestamptz not null,
    token         text,
    problem       text,
    old_rows      json,
    new_rows      json,
    constraint webhook_change_pkey primary key (change_id)
);
-- Not compressed: that would take longer than everything else.
alter table pgqueue.webhook_change alter column old_rows set storage external, alter column new_rows set storage external;
comment on table pgqueue.webhook_change is 'Changes of large statements that are still to be made into jobs.';
comment on column pgqueue.webhook_change.webhook_id is 'Webhook of pgqueue.create_webhook; null: a trigger with arguments.';
comment on column pgqueue.webhook_change.token is 'Token of the session, where one is wanted.';
comment on column pgqueue.webhook_change.problem is 'Why its jobs cannot be sent; null: they can.';
comment on column pgqueue.webhook_change.old_rows is 'Rows before the change, in the order in which they were changed.';
