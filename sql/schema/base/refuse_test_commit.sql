-- internal.refuse_test_commit()
-- Deferred trigger of internal.test_clock: a transaction with a moved clock never commits.
create or replace function internal.refuse_test_commit() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using errcode = '55000',
        message = 'a transaction that moved the test clock can only be rolled back';
end
$$;
comment on function internal.refuse_test_commit() is 'Refuses to commit a transaction with a moved clock.';
