-- Row changes that are sent somewhere: made by pgqueue.create_webhook.  Secrets are apart.
create table pgqueue.webhook (
    webhook_id       bigint generated always as identity,
    name             text not null,
    table_schema     name not null,
    table_name       name not null,
    events           text[] not null,
    url              text not null,
    headers          jsonb,
    jwt_source       text,
    has_secret       boolean not null default false,
    signing_vault    text,
    signing_header   text,
    signing_style    pgqueue.signing_styles,
    signing_alg      pgqueue.signing_algs,
    signing_enc      pgqueue.signing_encs,
    columns          text[],
    changed_only     boolean not null default false,
    condition        text,
    key_columns      text[],
    retry_limit      smallint not null default 10,
    retry_5xx        boolean not null default true,
    enabled          boolean not null default true,
    disabled_reason  text,
    created_at       timestamptz not null,
    created_by       text not null,
    constraint webhook_pkey primary key (webhook_id),
    constraint webhook_name_key unique (name),
    constraint jwt_source_is_known check (jwt_source in ('value', 'from_session'))
);
comment on table pgqueue.webhook is 'Webhooks on tables. Read them through pgqueue.webhooks.';
comment on column pgqueue.webhook.table_name is 'As it was called when the webhook was made; payloads carry it.';
comment on column pgqueue.webhook.jwt_source is 'value: a token was given (pgqueue.webhook_secret). from_session: that of the session. Null: none.';
comment on column pgqueue.webhook.columns is 'Only these appear in records; null: all.';
comment on column pgqueue.webhook.changed_only is 'An update that changes none of the columns sends nothing.';
comment on column pgqueue.webhook.condition is 'Text of the condition of its triggers, for reading.';
comment on column pgqueue.webhook.key_columns is 'Primary key, for records that are too large.';
comment on column pgqueue.webhook.disabled_reason is 'Who or what switched it off.';
