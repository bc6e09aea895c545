-- queues.clock()
-- The one source of time for due, expiry and re-check times: the server's clock, or in a test transaction the clock that the
-- test has set.  The setting only says that there is a test clock.  Its time comes from a table that runtime roles cannot write.
create or replace function queues.clock() returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if coalesce(current_setting('reeve.test_clock', true), '') = '' then
        return clock_timestamp();
    end if;
    return coalesce(internal.test_clock_at(), clock_timestamp());
end
$$;
comment on function queues.clock() is 'The time by which the engine decides.';
