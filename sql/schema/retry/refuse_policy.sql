-- internal.refuse_policy()
-- Raises the error for a supervisor with a policy of retries.
create or replace function internal.refuse_policy() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using errcode = '22023', message = 'a supervisor has no policy of retries',
        hint = 'Leave max_attempts and backoff out: a process goes on until its supervisor ends it.';
end
$$;
comment on function internal.refuse_policy() is 'Refuses a policy of retries for a supervisor.';
