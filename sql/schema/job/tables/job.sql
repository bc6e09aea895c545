-- Fact: a job, from an insert into pgqueue.job_queue, a webhook, or an answer.  A null stands for the default.
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
-- Counts the follow-up jobs under one root.
create index job_root_idx on pgqueue.job (root_job_id) where root_job_id is not null;
comment on table pgqueue.job is 'Jobs as they were requested. Read them through pgqueue.job_queue.';
comment on column pgqueue.job.job_uuid is 'Random public name: idempotency key and webhook-id of every run.';
comment on column pgqueue.job.has_token is 'True: a token was given by value (pgqueue.job_secret).';
comment on column pgqueue.job.has_secret is 'True: a signing secret was given by value.';
comment on column pgqueue.job.retry_limit is 'Failed runs before the job ends; null: 10.';
comment on column pgqueue.job.retry_5xx is 'Whether 502, 503 and 504 are retried; null: as the setting pgqueue_retry_5xx.';
comment on column pgqueue.job.timeout is 'Longest time of one run; null: as the setting pgqueue_timeout.';
comment on column pgqueue.job.root_job_id is 'First job of a chain of follow-up jobs; null: this is no follow-up job.';
comment on column pgqueue.job.depth is 'Distance from that root; null: 0.';
comment on column pgqueue.job.webhook_id is 'Webhook that made the job (pgqueue.webhook); null: none.';
