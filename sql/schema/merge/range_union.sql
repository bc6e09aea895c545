-- internal.range_union(_rule, _values)
-- The union of ranges or multiranges given as text, as a multirange.  The rule names the type after a colon;
-- internal.check_merge_rules allows only types of the server.
create or replace function internal.range_union(_rule text, _values text[]) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _result text;
begin
    -- PostgreSQL 14 aggregates ranges, but not multiranges.
    execute format('select coalesce(range_agg(r)::text, max(''{}'') filter (where v is not null)) from unnest($1) as v
                    left join lateral unnest((case when v like ''{%%'' then v else ''{'' || v || ''}'' end)::%I) as r on true',
                   coalesce(nullif(split_part(_rule, ':', 2), ''), 'int8multirange'))
    into _result using _values;
    return _result;
end
$$;
comment on function internal.range_union(text, text[]) is 'Union of ranges given as text.';
