-- internal.is_passing(_sqlstate)
-- Is it a passing error?  Two transactions were in each other's way, and the same work may succeed later: a serialization
-- failure, a deadlock, or a lock that was not granted in time.  sqlstate_is_passing of the program has the same list.
create or replace function internal.is_passing(_sqlstate text) returns boolean
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce(_sqlstate in ('40001', '40P01', '55P03'), false)
$$;
comment on function internal.is_passing(text) is 'Whether an error may pass when the same work is done later.';
