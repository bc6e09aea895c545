-- internal.job_secrets(_vault, _url, _needs_role)
-- The named secrets of one run of an HTTP job: the secret that signs it; for an edge function also the base, and the service role
-- unless the job has a token of its own.  {"problem": text}: the job may not be sent.
create or replace function internal.job_secrets(_vault text, _url text, _needs_role boolean) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _problem constant text := case when _vault is not null then internal.secret_problem(_vault, 'sign', _url, true, null) end;
    _own text[] := array[]::text[];
begin
    if _problem is not null then
        return jsonb_build_object('problem', _problem);
    end if;
    if _url like '/%' then
        _own := case when _needs_role then array['consumer_edge_base', 'service_role'] else array['consumer_edge_base'] end;
    end if;
    return internal.call_secrets(array_remove(_own || _vault, null),
        _own || array(select a.secret_name from internal.allowed_secret as a where a.secret_name = _vault));
end
$$;
comment on function internal.job_secrets(text, text, boolean) is 'Named secrets of a run of an HTTP job.';
