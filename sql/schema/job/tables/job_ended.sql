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
