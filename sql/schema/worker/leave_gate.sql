-- internal.leave_gate(_follows, _is_final)
-- A worker is awake and needs no notifications.  False: the session still holds the gate, because others follow it.
-- _follows: as for internal.enter_gate.  _is_final: the worker stops.  It leaves in any case, and notifies its followers, so that
-- one of them takes the gate at once.
create or replace function internal.leave_gate(_follows boolean, _is_final boolean) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _follows then
        return pg_advisory_unlock_shared(20545, 4);
    elsif pg_try_advisory_lock(20545, 4) then
        -- Whoever wants to follow now waits until the gate is free, and sees that.
        perform pg_advisory_unlock(20545, 2);
        perform pg_advisory_unlock(20545, 4);
        return true;
    elsif _is_final then
        perform pg_advisory_unlock(20545, 2);
        perform pg_notify('worker_control', 'gate left');
        return true;
    end if;
    return false;
end
$$;
comment on function internal.leave_gate(boolean, boolean) is 'A worker is awake.  False: it still holds the gate for others.';
