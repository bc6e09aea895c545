-- internal.count_enqueued(_process_id, _is_supervisor_run, _by)
-- Counts the tasks that the run in progress enqueued, without the next run of its own process.  The count is in a setting, so
-- a rollback undoes it.
create or replace function internal.count_enqueued(_process_id bigint, _is_supervisor_run boolean, _by integer default 1)
    returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _is_supervisor_run and _process_id = (select r.process_id from internal.current_run() as r) then
        return;
    end if;
    perform set_config('reeve.enqueued',
        (coalesce(nullif(current_setting('reeve.enqueued', true), '')::integer, 0) + _by)::text, true);
end
$$;
comment on function internal.count_enqueued(bigint, boolean, integer) is 'Counts tasks that the run in progress enqueued.';
