-- internal.job_host(_url)
-- The destination of a URL: its host and port, or "/" for edge functions.  One place has one name, however the URL is written: in
-- lower case, without user, final dot, leading zeros, or the usual port of its scheme.
create or replace function internal.job_host(_url text) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _parts constant text[] := regexp_match(_url, '^\s*([a-z][a-z0-9+.-]*)://(?:[^/?#]*@)?(\[[^]/?#]*\]|[^/?#:]*)(?::0*([0-9]*))?', 'i');
    _host constant text := left(lower(rtrim(_parts[2], '.')), 253);
    _port constant text := left(coalesce(_parts[3], ''), 5);
begin
    if _url like '/%' then
        return '/';
    elsif coalesce(_host, '') = '' then
        return null;
    end if;
    return case when (lower(_parts[1]), _port) in (('https', ''), ('https', '443'), ('http', ''), ('http', '80')) then _host
                else concat_ws(':', _host, nullif(_port, '')) end;
end
$$;
comment on function internal.job_host(text) is 'Destination of a URL.';
