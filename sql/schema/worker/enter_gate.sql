-- internal.enter_gate(_follows)
-- A worker falls asleep: from now on enqueuers notify.  The session of the worker holds one of two locks while the worker sleeps.
-- Enqueuers try only the first one (internal.wake_workers), so notifications cost them the same for any number of workers.
--   (20545, 2)  exclusive: one sleeping worker holds the gate
--   (20545, 4)  shared: every other sleeping worker follows the holder.  The holder stays while somebody follows.
-- Answers:
--   held     This session holds the gate.  If others follow, they are notified: the last holder may have died, and tasks may have
--            been enqueued without a notification until now.
--   follows  Another session holds the gate, or will have it as soon as the enqueuers before it have ended.
--   waits    Enqueuers without notifications are still open, and nobody holds the gate.  Call again at once.
-- Whatever the answer is, the worker looks for work once more.  No call waits longer than half of the time after which the server
-- logs that a session is still waiting.
-- _follows: the last answer was not "held", and the session has not left the gate since then.
create or replace function internal.enter_gate(_follows boolean) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _wait_ms constant integer :=
        greatest(25, least(500, extract(epoch from current_setting('deadlock_timeout')::interval) * 500));
begin
    if not pg_try_advisory_lock(20545, 2) then
        if not _follows then
            perform pg_advisory_lock_shared(20545, 4); -- waits at most for another call of these functions
        end if;
        -- The shared lock conflicts with a holder, and with a session that waits for the gate.
        if not pg_try_advisory_lock_shared(20545, 2) then
            return 'follows';
        end if;
        perform pg_advisory_unlock_shared(20545, 2);
        -- Only enqueuers are in the way.  While this session waits for them, new enqueuers notify.
        begin
            perform set_config('lock_timeout', _wait_ms::text, true);
            perform pg_advisory_lock(20545, 2);
        exception when lock_not_available then
            return 'waits';
        end;
        _follows := true;
    end if;
    if _follows then
        perform pg_advisory_unlock_shared(20545, 4);
    end if;
    if pg_try_advisory_lock(20545, 4) then
        perform pg_advisory_unlock(20545, 4);
    else
        perform pg_notify('worker_control', 'gate taken');
    end if;
    return 'held';
end
$$;
comment on function internal.enter_gate(boolean) is 'A worker falls asleep: enqueuers notify it.  Says held, follows or waits.';
