-- internal.require_read_committed(_what)
-- A fence needs a new snapshot after each lock.  An older snapshot would see old rows.
create or replace function internal.require_read_committed(_what text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception using errcode = '25001',
            message = format('%s needs isolation level read committed, not %s', _what,
                             current_setting('transaction_isolation'));
    end if;
end
$$;
comment on function internal.require_read_committed(text) is 'Refuses other isolation levels than read committed.';
