-- internal.capture_statement(_relid, _is_new, _columns, _part)
-- The statement with which a trigger keeps one side of its transition tables in
-- pgqueue.webhook_change_column; $1 are the ids of the parts.  Built from the catalog: what is
-- cheap to keep depends on the types of the columns, and casts of users are not called.  _columns: only these; null: all.  _part: rows
-- of a part; null: there is one only.
create or replace function internal.capture_statement(_relid oid, _is_new boolean, _columns text[], _part integer) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _source constant text := case when _is_new then 'new_rows' else 'old_rows' end;
    _many constant boolean := _part is not null;
    _picked text := '';
    _sums text := '';
    _rows text := '';
    _column record;
    _value text;
begin
    for _column in
        select a.attnum, a.attname, a.atttypid,
               case when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then 'integers'
                    when a.atttypid in ('text'::regtype, 'varchar'::regtype) then 'texts'
                    when a.atttypid = 'numeric'::regtype then 'numerics'
                    when a.atttypid = 'timestamptz'::regtype then 'times'
                    else 'others' end as place
        from pg_attribute as a
        where a.attrelid = _relid and a.attnum > 0 and not a.attisdropped and (_columns is null or a.attname = any(_columns))
        order by a.attnum
    loop
        _picked := _picked || format(', r.%I as c%s', _column.attname, _column.attnum);
        _value := case when _many then format('x.c%s', _column.attnum) else format('r.%I', _column.attname) end;
        if _column.place = 'others' and not internal.has_plain_json(_column.atttypid) then
            _value := internal.plain_json(_column.atttypid, _value);
        end if;
        _sums := _sums || format(case _column.place when 'integers' then ', array_agg(%s::bigint) as c%s' when 'others' then ', json_agg(%s) as c%s'
                                                    else ', array_agg(%s) as c%s' end, _value, _column.attnum);
        _rows := _rows || format(case when _rows = '' then '' else ', ' end || '(%s, %L::name, %s, %s, %s, %s, %s)', _column.attnum, _column.attname,
            case when _column.place = 'integers' then format('s.c%s', _column.attnum) else 'null::bigint[]' end,
            case when _column.place = 'numerics' then format('s.c%s', _column.attnum) else 'null::numeric[]' end,
            case when _column.place = 'texts' then format('s.c%s', _column.attnum) else 'null::text[]' end,
            case when _column.place = 'times' then format('s.c%s', _column.attnum) else 'null::timestamptz[]' end,
            case when _column.place = 'others' then format('s.c%s', _column.attnum) else 'null::json' end);
    end loop;
    if _rows = '' then -- A table without columns, or without those: the rows count all the same.
        _sums := ', json_agg(null::text) as c0';
        _rows := '(0, ''''::name, null::bigint[], null::numeric[], null::text[], null::timestamptz[], s.c0)';
    end if;
    return format('insert into pgqueue.webhook_change_column (change_id, column_no, is_new, column_name, integers, numerics, texts, times, others)'
                  ' select $1[s.part + 1], v.no, %s, v.name, v.i, v.n, v.t, v.z, v.o from (select %s) as s'
                  ' cross join lateral (values %s) as v(no, name, i, n, t, z, o)',
                  _is_new::text,
                  case when _many then format('x.part%s from (select (row_number() over () - 1) / %s as part%s from %s as r) as x group by x.part',
                                              _sums, _part, _picked, _source)
                       else format('0 as part%s from %s as r', _sums, _source) end,
                  _rows);
end
$$;
comment on function internal.capture_statement(oid, boolean, text[], integer) is 'Statement that keeps the rows of a large statement.';
