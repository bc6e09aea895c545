-- internal.kept_rows(_change_id)
-- The rows of a large statement, put together again from their columns; null where there is no
-- such side.
create or replace function internal.kept_rows(_change_id bigint) returns table (row_no bigint, old_record jsonb, new_record jsonb)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
        select v.row_no,
               case when not bool_and(c.is_new) then coalesce(jsonb_object_agg(c.column_name, v.value) filter (where not c.is_new and c.column_no > 0), '{}') end,
               case when bool_or(c.is_new) then coalesce(jsonb_object_agg(c.column_name, v.value) filter (where c.is_new and c.column_no > 0), '{}') end
        from pgqueue.webhook_change_column as c
        cross join lateral (
            select x.n, to_jsonb(x.v) from unnest(c.integers) with ordinality as x(v, n)
            union all select x.n, to_jsonb(x.v) from unnest(c.numerics) with ordinality as x(v, n)
            union all select x.n, to_jsonb(x.v) from unnest(c.texts) with ordinality as x(v, n)
            union all select x.n, to_jsonb(x.v) from unnest(c.times) with ordinality as x(v, n)
            union all select x.n, internal.to_plain_json(x.v) from json_array_elements(c.others) with ordinality as x(v, n)) as v(row_no, value)
        where c.change_id = _change_id
        group by v.row_no;
end
$$;
comment on function internal.kept_rows(bigint) is 'Rows of a large statement.';
