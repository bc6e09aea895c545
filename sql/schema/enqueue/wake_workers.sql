-- internal.wake_workers(_queue, _at, _notify)
-- Tells a sleeping worker to look, once per transaction and queue, and only if one
-- sleeps: an idle worker holds lock (20545, 2), or waits for it.  If we get the
-- shared one, no worker is idle, and whoever wants to become idle has to wait for
-- our end and then looks once more.  So nothing is missed, and busy workers cost
-- an enqueuer nothing.
create or replace function internal.wake_workers(_queue text, _at timestamptz, _notify boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _notify and _at <= clock_timestamp() + interval '1 second'
       and not pg_try_advisory_xact_lock_shared(20545, 2) then
        perform pg_notify('worker_tasks', _queue);
    end if;
end
$$;
comment on function internal.wake_workers(text, timestamptz, boolean) is 'Notifies idle workers, if there are any.';
