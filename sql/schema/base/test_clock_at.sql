-- internal.test_clock_at()
-- The clock that this transaction has set, or null.
create or replace function internal.test_clock_at() returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select c.at from internal.test_clock as c where c.xact = pg_current_xact_id_if_assigned());
end
$$;
comment on function internal.test_clock_at() is 'Clock of this test transaction.';
