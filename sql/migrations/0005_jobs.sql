-- 0005_jobs: HTTP jobs, webhooks on tables, and named secrets.
-- Locks: new objects; functions that change their result are dropped here and made again.
-- Named secrets, for databases without Supabase's vault, under the same names.  Values are
-- sealed by the program with a key that is not in the database.
do $do$
begin
    if exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname = 'vault' and c.relname in ('secrets', 'decrypted_secrets')) then
        return; -- Supabase's
    end if;
    create table vault.secrets (
        id           uuid not null default gen_random_uuid(),
        name         text,
        description  text not null default '',
        secret       text not null,
        created_at   timestamptz not null default clock_timestamp(),
        updated_at   timestamptz not null default clock_timestamp(),
        constraint secrets_pkey primary key (id),
        constraint secrets_name_key unique (name)
    );
    create index secrets_unsealed_idx on vault.secrets (id) where secret not like 'reeve:v1:%';
    comment on table vault.secrets is 'Named secrets. No role but the owner reads them.';
    comment on column vault.secrets.secret is 'Sealed (reeve:v1:...); plain only until a worker with the key has seen it.';
end
$do$;
-- Types of jobs and of their signatures.
create type pgqueue.job_type as enum ('GET', 'POST', 'DELETE', 'FUNC', 'PUT', 'PATCH');
comment on type pgqueue.job_type is 'What a job does: a request with this method, or a call of a function.';
create type pgqueue.job_status as enum ('new', 'failed', 'processing', 'completed', 'redirected', 'server_error', 'too_many', 'other');
comment on type pgqueue.job_status is 'Where a job stands; new, failed and processing are open, the others final.';
create type pgqueue.signing_styles as enum ('HMAC', 'HMAC_WITH_PREFIX', 'STANDARD_WEBHOOKS');
comment on type pgqueue.signing_styles is 'Form of a signature.';
create type pgqueue.signing_algs as enum ('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512');
comment on type pgqueue.signing_algs is 'Hash of a signature.';
create type pgqueue.signing_encs as enum ('hex', 'base64');
comment on type pgqueue.signing_encs is 'How the bytes of a signature are written.';
-- Fact: what was asked, by an insert into pgqueue.job_queue, by a webhook, or by an answer.
-- Null where the default holds: most jobs need none of it.
create table pgqueue.job (
    job_id          bigint generated always as identity,
    job_uuid        uuid not null default gen_random_uuid(),
    created_at      timestamptz not null default now(),
    run_at          timestamptz not null default now(),
    job_type        pgqueue.job_type not null default 'POST',
    url             text not null,
    payload         jsonb,
    headers         jsonb,
    job_owner       text,
    has_token       boolean,
    has_secret      boolean,
    signing_vault   text,
    signing_header  text,
    signing_style   pgqueue.signing_styles,
    signing_alg     pgqueue.signing_algs,
    signing_enc     pgqueue.signing_encs,
    retry_limit     smallint,
    retry_5xx       boolean,
    timeout         interval,
    priority        bigint,
    parent_job_id   bigint,
    root_job_id     bigint,
    depth           smallint,
    webhook_id      bigint,
    constraint job_pkey primary key (job_id),
    constraint run_at_is_finite check (isfinite(run_at))
);
-- How many follow-up jobs there are under one root.
create index job_root_idx on pgqueue.job (root_job_id) where root_job_id is not null;
comment on table pgqueue.job is 'Jobs, as they were asked for. Read them through pgqueue.job_queue.';
comment on column pgqueue.job.job_uuid is 'Random name for the outside: idempotency key and webhook-id of every run.';
comment on column pgqueue.job.has_token is 'True: a token was given by value (pgqueue.job_secret).';
comment on column pgqueue.job.has_secret is 'True: a signing secret was given by value.';
comment on column pgqueue.job.retry_limit is 'Null: 10.';
comment on column pgqueue.job.retry_5xx is 'Whether 502, 503 and 504 are tried again; null: as the setting pgqueue_retry_5xx.';
comment on column pgqueue.job.timeout is 'For one run; null: as the setting pgqueue_timeout.';
comment on column pgqueue.job.root_job_id is 'First job of a chain of follow-up jobs; null: it is none.';
comment on column pgqueue.job.depth is 'Distance from that root; null: 0.';
comment on column pgqueue.job.webhook_id is 'Webhook that made it (pgqueue.webhook).';
-- Fact: one run of a job is one task.
create table pgqueue.job_run (
    job_id       bigint not null,
    job_run      integer not null,
    task_id      bigint not null,
    retry_count  integer not null,
    constraint job_run_pkey primary key (job_id, job_run)
);
comment on table pgqueue.job_run is 'The runs of each job, and the tasks that carry them out.';
comment on column pgqueue.job_run.job_run is '1, 2, 3 ... per job.';
comment on column pgqueue.job_run.retry_count is 'Failed runs before this one, since the job was last started from the beginning.';
-- Fact: the end of a job.  One that was started again may have several; the newest run says
-- which one counts.
create table pgqueue.job_ended (
    job_id            bigint not null,
    end_no            integer not null,
    ended_at          timestamptz not null,
    job_run           integer not null,
    retry_count       integer not null,
    job_status        pgqueue.job_status not null,
    response_status   smallint,
    response_content  text,
    response_headers  jsonb,
    constraint job_ended_pkey primary key (job_id, end_no)
);
-- What failed since a time, to play it again.
create index job_ended_failed_idx on pgqueue.job_ended (ended_at) where job_status in ('server_error', 'too_many', 'other');
comment on table pgqueue.job_ended is 'Ends of jobs.';
comment on column pgqueue.job_ended.job_run is 'Its last run. The job has ended if there is no later one.';
comment on column pgqueue.job_ended.retry_count is 'Failed runs in all, since it was last started from the beginning.';
comment on column pgqueue.job_ended.response_status is '0: no answer; null: it was not run.';
-- Secrets that were given by value, apart from everything that anybody may read.  Not a fact:
-- a row goes when its job ends.
create table pgqueue.job_secret (
    job_id          bigint not null,
    job_jwt         text,
    jwt_expires_at  timestamptz,
    signing_secret  bytea,
    constraint job_secret_pkey primary key (job_id)
);
comment on table pgqueue.job_secret is 'Secrets of open jobs. No role but the owner reads them.';
comment on column pgqueue.job_secret.jwt_expires_at is 'From the token itself, if it says.';
-- Fact: a run of a job failed, and this is what came back.
create table pgqueue.failed_log (
    id                bigint generated always as identity,
    job_id            bigint not null,
    created_at        timestamptz not null,
    job_run           integer not null,
    response_status   smallint,
    response_content  text,
    response_headers  jsonb,
    constraint failed_log_pkey primary key (id)
);
create index failed_log_job_idx on pgqueue.failed_log (job_id, job_run);
comment on table pgqueue.failed_log is 'Every failed run of every job.';
comment on column pgqueue.failed_log.response_status is '0: no answer; then the content says why.';
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
-- Secrets of webhooks that were given by value.
create table pgqueue.webhook_secret (
    webhook_id      bigint not null,
    jwt             text,
    signing_secret  bytea,
    constraint webhook_secret_pkey primary key (webhook_id)
);
comment on table pgqueue.webhook_secret is 'Secrets of webhooks. No role but the owner reads them.';
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
-- One column of the rows of a large statement, in the order in which they were changed.  Values of
-- common types are kept as they are: to write 10,000 rows as JSON takes as long as to update them.
create table pgqueue.webhook_change_column (
    change_id    bigint not null,
    column_no    smallint not null,
    is_new       boolean not null,
    column_name  name not null,
    integers     bigint[],
    numerics     numeric[],
    texts        text[],
    times        timestamptz[],
    others       json,
    constraint webhook_change_column_pkey primary key (change_id, column_no, is_new)
);
-- Not compressed: that would take longer than everything else.
alter table pgqueue.webhook_change_column alter column integers set storage external, alter column numerics set storage external,
    alter column texts set storage external, alter column times set storage external, alter column others set storage external;
comment on table pgqueue.webhook_change_column is 'Columns of the rows of large statements.';
comment on column pgqueue.webhook_change_column.is_new is 'After the change, or before.';
comment on column pgqueue.webhook_change_column.others is 'An array, for all other types.';
-- A run of an HTTP job that may be sent.
create type internal.begun_run as (
    task_id          bigint,
    decision         text,
    request          jsonb,
    body             text,
    secrets          jsonb,
    idempotency_key  text,
    timeout          interval
);
comment on type internal.begun_run is 'What is to be sent for a run of a job, or that it has ended.';
-- A step of the dispatch knows runs of jobs.
alter type internal.dispatch_step add attribute is_job boolean;
-- Their results have one more column.
drop function if exists queues.claim(uuid, text[], text[], integer, interval, jsonb, text[], boolean);
drop function if exists internal.claim_for(integer, text[], text[], integer, interval, jsonb, text[], boolean, boolean);
