-- internal.shown_url(_url)
-- The destination of a URL, without data that the URL may contain: scheme, host and port of a full URL, or the path of an edge
-- function.  It is for people who may not see payloads.
create or replace function internal.shown_url(_url text) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case when _url ~ '^[A-Za-z][A-Za-z0-9+.-]*://'
                then regexp_replace(_url, '^([^:]*://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2/...')
                else regexp_replace(_url, '[?#].*$', '') end
$$;
comment on function internal.shown_url(text) is 'The destination of a URL, without its data.';
