-- Fact: a run of a job failed, with the answer.
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
comment on column pgqueue.failed_log.response_status is '0: no answer; the content then has the reason.';
