-- internal.is_ours(_xmin)
-- Did our own transaction write this visible row?  It did if, and only if, the writer is still in progress.
create or replace function internal.is_ours(_xmin xid) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _here constant bigint := pg_current_xact_id_if_assigned()::text::bigint;
    _full bigint;
begin
    if _here is null then
        return false;
    end if;
    _full := (_here & ~4294967295) | _xmin::text::bigint;
    if _full < _here then
        -- Older than our transaction, or written after the counter wrapped.
        _full := _full + 4294967296;
        if _full - _here > 2147483648 then
            return false;
        end if;
    end if;
    return coalesce(pg_xact_status(_full::text::xid8) = 'in progress', false);
exception when invalid_parameter_value then
    return false; -- A number of the future: not ours.
end
$$;
comment on function internal.is_ours(xid) is 'Whether a visible row was written by this transaction.';
