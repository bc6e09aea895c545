-- internal.shown_url(_url)
-- Where a URL leads, without what it may carry: for a full URL scheme, host and port, for an edge function its path.  For
-- people who may not see payloads.
create or replace function internal.shown_url(_url text) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case when _url ~ '^[A-Za-z][A-Za-z0-9+.-]*://'
                then regexp_replace(_url, '^([^:]*://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2/...')
                else regexp_replace(_url, '[?#].*$', '') end
$$;
comment on function internal.shown_url(text) is 'A URL without what it may carry.';
