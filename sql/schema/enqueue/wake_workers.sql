-- internal.wake_workers(_queue, _at, _notify)
-- Notifies the sleeping workers, once per transaction and queue, and only if a worker sleeps.  One sleeping worker holds lock
-- (20545, 2), or waits for it (internal.enter_gate).  If this transaction gets the shared lock, no worker sleeps.  A worker that
-- wants to sleep then waits for the end of this transaction, and looks for work once more.  So no task is missed, and busy
-- workers cost an enqueuer nothing.
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
comment on function internal.wake_workers(text, timestamptz, boolean) is 'Notifies sleeping workers, if there are any.';
