-- internal.count_enqueued(_process_id, _is_supervisor_run, _by)
-- Counts, for the run in progress, what it enqueued; the next run of its own
-- process does not count.  Kept in a setting, so a rolled-back step is uncounted.
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
comment on function internal.count_enqueued(bigint, boolean, integer) is 'Counts what the run in progress enqueued.';
