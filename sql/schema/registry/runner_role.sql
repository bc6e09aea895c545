-- internal.runner_role()
-- The role that needs EXECUTE on business functions: the worker's own role, or queues_runner in definer mode.
create or replace function internal.runner_role() returns name
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select case when internal.text_setting('runner_mode') = 'definer'
                then 'queues_runner' else 'worker_service_user' end::name
$$;
comment on function internal.runner_role() is 'Role that runs business functions.';
