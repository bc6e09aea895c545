-- internal.check_look(_since, _until, _limit, _cursor)
-- Refuses times, a limit or a cursor that make no sense in a list.  Returns the id below which the list begins.
create or replace function internal.check_look(_since timestamptz, _until timestamptz, _limit integer, _cursor text) returns bigint
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not isfinite(_since) or not isfinite(_until) or _since >= _until then
        raise exception using errcode = '22008', message = 'since and until must be finite, and since must come first';
    end if;
    if _limit is null or _limit < 1 or _limit > 100000 then
        raise exception using errcode = '22023', message = format('limit %s is not between 1 and 100000', coalesce(_limit::text, 'null'));
    end if;
    if _cursor !~ '^[0-9]{1,18}$' then
        raise exception using errcode = '22023', message = format('"%s" is not a cursor', left(_cursor, 64)),
            hint = 'Give the cursor of the page before as it is, or none for the first page.';
    end if;
    return coalesce(_cursor::bigint, 9223372036854775807);
end
$$;
comment on function internal.check_look(timestamptz, timestamptz, integer, text) is 'Refuses arguments that make no sense in a list.';
