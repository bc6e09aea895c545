-- internal.list_answer(_rows, _cursor, _scanned, _looked_back_to)
-- The answer of every list.  cursor: where the next page begins; null: this was the last one.  looked_back_to: how far back the list
-- has looked; null: everything was looked at.
create or replace function internal.list_answer(_rows jsonb, _cursor bigint, _scanned bigint, _looked_back_to timestamptz) returns jsonb
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_build_object('rows', _rows, 'cursor', _cursor::text, 'scanned', _scanned,
                              'looked_back_to', case when _cursor is not null then _looked_back_to end)
$$;
comment on function internal.list_answer(jsonb, bigint, bigint, timestamptz) is 'The answer of a list.';
