-- internal.row_locker(_xmax)
-- The backend whose open transaction has locked or changed a row, from the xmax of the row; null: none.  0: a transaction is open, and
-- nobody knows whose: the row was locked in a part of it that can be rolled back alone, or the transaction is prepared.  A row that several
-- transactions share has another kind of number there, which is not looked up; no statement of ours shares rows.
create or replace function internal.row_locker(_xmax xid) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _next constant bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    _id bigint := (_next >> 32 << 32) + _xmax::text::bigint;
    _pid integer;
begin
    if _xmax = '0' then
        return null;
    end if;
    select l.pid into _pid from pg_locks as l
    where l.locktype = 'transactionid' and l.transactionid = _xmax and l.mode = 'ExclusiveLock' and l.granted limit 1;
    if found then
        return nullif(_pid, pg_backend_pid());
    end if;
    -- The number that is nearest to the current ones.
    _id := _id + case when _id - _next > 2147483648 then -4294967296 when _next - _id > 2147483648 then 4294967296 else 0 end;
    return case when _id > 2 and pg_xact_status(_id::text::xid8) = 'in progress' then 0 end;
exception when invalid_parameter_value then
    return null; -- no transaction has this number yet
end
$$;
comment on function internal.row_locker(xid) is 'The backend whose transaction has locked a row.';
