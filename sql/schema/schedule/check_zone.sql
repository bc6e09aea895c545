-- internal.check_zone(_zone), internal.database_zone()
-- The zone as it is stored: a name of pg_timezone_names, spelled as there.  An unknown name is refused with the nearest names.
-- Abbreviations such as CET are refused, even if there is a zone of that name: the server takes them for an offset, not for the
-- rules of a place.
-- The database's zone is that of ALTER DATABASE, otherwise the one with which the session began.
create or replace function internal.check_zone(_zone text) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _name text;
    _near text;
begin
    perform internal.check_text('time zone', _zone, 128);
    if _zone in ('UTC', 'GMT', 'Etc/UTC') then
        return _zone;
    end if;
    -- A name with a slash and without figures can only be the name of a place: there is no need to read all names.
    if _zone ~ '^[A-Z][A-Za-z_]+(/[A-Z][A-Za-z_-]+)+$' then
        begin
            perform now() at time zone _zone;
            return _zone;
        exception when invalid_parameter_value then
            null;
        end;
    end if;
    select n.name into _name from pg_timezone_names as n
    where lower(n.name) = lower(_zone) and n.name not like 'posix/%' order by n.name = _zone desc limit 1;
    if exists (select 1 from pg_timezone_abbrevs as a where a.abbrev = upper(_zone)) and upper(_zone) not in ('UTC', 'GMT', 'UCT') then
        raise exception using errcode = '22023', message = format('time zone "%s" is an abbreviation, which the server takes for a fixed offset', _zone),
            hint = 'Name a place, such as Europe/Oslo.';
    end if;
    if _name is not null then
        return _name;
    end if;
    select string_agg(x.name, ', ' order by x.score desc, x.name) into _near
    from (select n.name, (select count(*) from generate_series(1, length(_zone) - 1) as i
                          where strpos(lower(n.name), substr(lower(replace(_zone, ' ', '_')), i, 2)) > 0)::numeric * 2
                         / (length(n.name) + length(_zone)) as score
          from pg_timezone_names as n where n.name not like 'posix%' order by 2 desc, 1 limit 3) as x;
    raise exception using errcode = '22023', message = format('time zone "%s" is not known', coalesce(_zone, 'null')),
        hint = format('The nearest names are %s. The view pg_timezone_names has all.', _near);
end
$$;
comment on function internal.check_zone(text) is 'The stored name of a time zone.';

create or replace function internal.database_zone() returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce(
        (select split_part(c.setting, '=', 2) from pg_db_role_setting as s cross join lateral unnest(s.setconfig) as c(setting)
         where s.setrole = 0 and s.setdatabase = (select d.oid from pg_database as d where d.datname = current_database())
           and lower(split_part(c.setting, '=', 1)) = 'timezone'),
        (select p.reset_val from pg_settings as p where p.name = 'TimeZone'))
$$;
comment on function internal.database_zone() is 'The time zone of the database.';
