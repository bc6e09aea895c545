-- pgqueue.run_scheduled_jobs(), pgqueue.process_tasks_subminute()
-- For existing schedules that call them: they wake a sleeping worker, and do nothing else.  Jobs do not need them; the worker
-- starts jobs on time.
create or replace function pgqueue.run_scheduled_jobs() returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.wake_workers('http', clock_timestamp(), internal.text_setting('notify') = 'on');
end
$$;
comment on function pgqueue.run_scheduled_jobs() is 'Wakes a worker; jobs do not need it.';

create or replace function pgqueue.process_tasks_subminute() returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.wake_workers('http', clock_timestamp(), internal.text_setting('notify') = 'on');
end
$$;
comment on function pgqueue.process_tasks_subminute() is 'Wakes a worker; jobs do not need it.';
