-- What one large statement changed: the user's transaction keeps the rows as they were, column by
-- column, and a worker makes the jobs.  Not a fact: a row goes when its jobs are there.
create table pgqueue.webhook_change (
    change_id     bigint generated always as identity,
    webhook_id    bigint,
    arguments     text[],
    table_schema  name not null,
    table_name    name not null,
    event         text not null,
    token         text,
    problem       text,
    time_zone     text not null,
    constraint webhook_change_pkey primary key (change_id)
);
comment on table pgqueue.webhook_change is 'Changes of large statements that are still to be made into jobs.';
comment on column pgqueue.webhook_change.webhook_id is 'Webhook of pgqueue.create_webhook; null: a trigger with arguments.';
comment on column pgqueue.webhook_change.token is 'Token of the session, where one is wanted.';
comment on column pgqueue.webhook_change.problem is 'Why its jobs cannot be sent; null: they can.';
comment on column pgqueue.webhook_change.time_zone is 'Of the session: times are written in it.';
