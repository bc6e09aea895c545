-- Fact: one run of a job, which is one task.
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
