-- internal.end_backend(_pid, _start, _role)
-- Ends a backend if it is certainly the intended one: this pid, started by this time, in this database, of this role.  It returns
-- true if the intended backend is gone; a backend with the same pid that started later is another one.
-- Security invoker.  For a moment it uses the rights of the login instead of those of the role that the login acts as: a login may
-- end its own sessions, and sees their start.  A session that it cannot see counts as alive.
create or replace function internal.end_backend(_pid integer, _start timestamptz, _role name) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _deadline constant timestamptz := clock_timestamp() + interval '5 seconds';
    _acting constant text := current_setting('role');
    _is_gone boolean;
    _is_asked boolean := false;
begin
    if _acting <> 'none' then
        perform set_config('role', 'none', true);
    end if;
    loop
        perform pg_stat_clear_snapshot();
        _is_gone := not exists (select 1 from pg_stat_activity as a where a.pid = _pid and a.datname = current_database()
                                and (a.backend_start is null or a.backend_start <= _start));
        exit when _is_gone or clock_timestamp() > _deadline;
        if not _is_asked then
            exit when not exists (select 1 from pg_stat_activity as a where a.pid = _pid and a.backend_start <= _start
                                  and a.datname = current_database() and a.usename = _role and a.pid <> pg_backend_pid());
            perform pg_terminate_backend(_pid);
            _is_asked := true;
        end if;
        perform pg_sleep(0.01);
    end loop;
    if _acting <> 'none' then
        perform set_config('role', _acting, true);
    end if;
    return _is_gone;
exception when insufficient_privilege then
    return false;
end
$$;
comment on function internal.end_backend(integer, timestamptz, name) is 'Ends a backend if it is certainly the intended one.';
