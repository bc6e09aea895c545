-- internal.key_columns(_table)
-- Columns of the primary key of a table, in its order; null if it has none.
create or replace function internal.key_columns(_table oid) returns text[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select array_agg(a.attname::text order by k.n)
            from pg_index as i
            cross join lateral unnest(i.indkey::smallint[]) with ordinality as k(attnum, n)
            join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
            where i.indrelid = _table and i.indisprimary);
end
$$;
comment on function internal.key_columns(oid) is 'Primary key of a table.';
