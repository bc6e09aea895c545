-- internal.job_host(_url)
-- Destination of a job: host and port of its URL, or "/" for edge functions.
create or replace function internal.job_host(_url text) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when _url like '/%' then '/'
                else lower(substring(_url from '^[a-z]+://(?:[^/?#@]*@)?([^/?#]+)')) end;
end
$$;
comment on function internal.job_host(text) is 'Destination of a job.';
