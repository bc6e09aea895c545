-- internal.url_place(_url)
-- host:port of a URL, in lower case and with the port written out; "/" for an edge function.  Null if the URL is not clearly of the
-- form scheme://host[:port]/...: two readers might see two hosts in it.
create or replace function internal.url_place(_url text) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _part text[];
begin
    if _url like '/%' then
        return '/';
    end if;
    _part := regexp_match(left(_url, 8192),
        '^(https?)://([a-z0-9]([-a-z0-9._]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?(?:[/?#]|$)', 'i');
    return lower(_part[2]) || ':'
           || case when _part[4] is not null then (_part[4]::integer)::text when lower(_part[1]) = 'https' then '443' else '80' end;
end
$$;
comment on function internal.url_place(text) is 'Host and port of a URL, if they are unambiguous.';
