-- internal.webhook_arguments(_arguments)
-- The job that the arguments of a trigger ask for: texts by position, or name=value, with or
-- without the underscore before the name; by position first.  '' and null mean not given.
create or replace function internal.webhook_arguments(_arguments text[], out job pgqueue.job, out token text, out secret bytea)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _names constant text[] := array['url', 'headers', 'jwt', 'signing_secret', 'signing_vault', 'signing_header',
                                    'signing_style', 'signing_alg', 'signing_enc'];
    _given text[] := array_fill(null::text, array[9]);
    _seen boolean[] := array_fill(false, array[9]);
    _is_named boolean := false;
    _match text[];
    _n integer;
begin
    for _i in 1 .. coalesce(cardinality(_arguments), 0) loop
        _match := regexp_match(_arguments[_i], '^_?([a-z_]+)=(.*)$');
        _n := array_position(_names, _match[1]);
        if _n is not null then
            _is_named := true;
        elsif _is_named or _i > 9 or _arguments[_i] ~ '^_[a-z_]+=' then
            raise exception using errcode = '22023', message = format('unknown webhook argument "%s"', left(_arguments[_i], 64)),
                hint = 'Known are ' || array_to_string(_names, ', ') || '.';
        else
            _n := _i;
        end if;
        if _seen[_n] then
            raise exception using errcode = '22023', message = format('webhook argument "%s" is given twice', _names[_n]);
        end if;
        _seen[_n] := true;
        _given[_n] := nullif(nullif(case when _is_named then _match[2] else _arguments[_i] end, ''), 'null');
    end loop;
    if _given[1] is null then
        raise exception using errcode = '22023', message = 'url argument is required';
    end if;
    job.url := _given[1];
    job.job_type := 'POST';
    job.run_at := now();
    token := _given[3];
    secret := case when _given[4] like '\\x%' then _given[4]::bytea else convert_to(_given[4], 'UTF8') end;
    job.signing_vault := _given[5];
    job.signing_header := _given[6];
    begin
        job.headers := _given[2]::jsonb;
        job.signing_style := _given[7]::pgqueue.signing_styles;
        job.signing_alg := _given[8]::pgqueue.signing_algs;
        job.signing_enc := _given[9]::pgqueue.signing_encs;
    exception when invalid_text_representation then
        raise exception using errcode = '22023', message = format('webhook argument cannot be read: %s', sqlerrm);
    end;
    perform internal.check_job(job);
    if token is not null or secret is not null then
        perform internal.check_job_secrets(token, secret);
    end if;
end
$$;
comment on function internal.webhook_arguments(text[]) is 'Reads the arguments of a webhook trigger.';
