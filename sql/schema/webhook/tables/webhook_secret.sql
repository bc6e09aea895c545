-- Secrets of webhooks that were given by value.
create table pgqueue.webhook_secret (
    webhook_id      bigint not null,
    jwt             text,
    signing_secret  bytea,
    constraint webhook_secret_pkey primary key (webhook_id)
);
comment on table pgqueue.webhook_secret is 'Secrets of webhooks. No role but the owner reads them.';
