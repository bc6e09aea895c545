-- internal.end_backend(_pid, _start, _role)
-- Ends a backend that is provably the one meant: this pid, started then, in this database, of this
-- role; true when it is gone.  Security invoker: a role may end its own sessions, and sees when
-- they began; of a session that it cannot see nothing is known, so it counts as alive.
create or replace function internal.end_backend(_pid integer, _start timestamptz, _role name) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _deadline constant timestamptz := clock_timestamp() + interval '5 seconds';
begin
    if not exists (select 1 from pg_stat_activity as a where a.pid = _pid and a.backend_start = _start
                   and a.datname = current_database() and a.usename = _role and a.pid <> pg_backend_pid()) then
        return false;
    end if;
    perform pg_terminate_backend(_pid);
    loop
        perform pg_stat_clear_snapshot();
        if not exists (select 1 from pg_stat_activity as a where a.pid = _pid and a.backend_start = _start) then
            return true;
        end if;
        exit when clock_timestamp() > _deadline;
        perform pg_sleep(0.01);
    end loop;
    return false;
exception when insufficient_privilege then
    return false;
end
$$;
comment on function internal.end_backend(integer, timestamptz, name) is 'Ends a backend that is provably the one meant.';
