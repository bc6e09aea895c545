-- internal.plain_json(_type, _value)
-- An SQL expression that gives _value, an expression of this type, as jsonb, and never calls a cast of a user's.  What
-- to_json would ask such a cast for is written as text, by the output function of its type.
create or replace function internal.plain_json(_type oid, _value text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _type_row pg_type;
    _base oid;
    _alias constant text := 'v' || length(_value); -- inner expressions are longer
    _written text;
begin
    if internal.has_plain_json(_type) then
        return format('internal.to_plain_json(to_json(%s))', _value);
    end if;
    select t.* into strict _type_row from pg_type as t where t.oid = _type;
    if _type_row.typtype = 'd' then
        return internal.plain_json(_type_row.typbasetype, _value);
    elsif _type_row.typtype = 'c' then
        select '(' || coalesce('select jsonb_object_agg(k, v) from (values '
               || string_agg(format('(%L, %s)', a.attname, internal.plain_json(a.atttypid, format('(%s).%I', _value, a.attname))), ', ')
               || format(') as %s(k, v)', _alias), 'select ''{}''::jsonb') || ')'
        into _written
        from pg_attribute as a where a.attrelid = _type_row.typrelid and a.attnum > 0 and not a.attisdropped;
    elsif _type_row.typcategory = 'A' and _type_row.typelem <> 0 then
        _base := _type_row.typelem;
        while (select t.typtype from pg_type as t where t.oid = _base) = 'd' loop
            _base := (select t.typbasetype from pg_type as t where t.oid = _base);
        end loop;
        if (select t.typtype <> 'c' and t.typcategory <> 'A' and t.typdelim = ',' from pg_type as t where t.oid = _base) then
            _written := format('to_jsonb(format(''%%s'', %s)::text[])', _value);
        else
            -- An array of arrays of rows is rare, and written as text.
            _written := format('case when array_ndims(%1$s) > 1 then to_jsonb(format(''%%s'', %1$s)) else coalesce((select jsonb_agg(%3$s order by %2$s)'
                               ' from generate_subscripts(%1$s, 1) as %2$s), ''[]'') end',
                               _value, _alias, internal.plain_json(_type_row.typelem, format('(%s)[%s]', _value, _alias)));
        end if;
    else
        _written := format('to_jsonb(format(''%%s'', %s))', _value);
    end if;
    return format('case when num_nulls(%s) = 0 then %s end', _value, _written);
end
$$;
comment on function internal.plain_json(oid, text) is 'SQL that writes a value as JSON without code of a user''s.';

-- internal.plain_record(_relid, _row)
-- The same for a row of a table; null if to_jsonb writes it so.
create or replace function internal.plain_record(_relid oid, _row text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from pg_attribute as a
                   where a.attrelid = _relid and a.attnum > 0 and not a.attisdropped and a.atttypid >= 16384) then
        return null;
    end if;
    return (select case when not bool_and(internal.has_plain_json(a.atttypid)) then '(select jsonb_object_agg(k, v) from (values '
                   || string_agg(format('(%L, %s)', a.attname, internal.plain_json(a.atttypid, format('%s.%I', _row, a.attname))), ', ')
                   || ') as record(k, v))' end
            from pg_attribute as a where a.attrelid = _relid and a.attnum > 0 and not a.attisdropped);
end
$$;
comment on function internal.plain_record(oid, text) is 'SQL that writes a row as JSON without code of a user''s.';
