-- Fact: the end of a job.  A job that was started again may have several; the one of the newest run counts.
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
-- Failures since a time, for pgqueue.replay_failed.
create index job_ended_failed_idx on pgqueue.job_ended (ended_at) where job_status in ('server_error', 'too_many', 'other');
comment on table pgqueue.job_ended is 'Ends of jobs.';
comment on column pgqueue.job_ended.job_run is 'Last run before this end. The job is open if there is a later run.';
comment on column pgqueue.job_ended.retry_count is 'All failed runs since the job was last started from the beginning.';
comment on column pgqueue.job_ended.response_status is '0: no answer; null: the job was not run.';
