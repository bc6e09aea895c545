-- internal.check_job(_job)
-- Refuses a job that could never run.  Only the function of a FUNC job is looked up.
create or replace function internal.check_job(_job pgqueue.job) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _header record;
    _size integer;
    _problem text;
begin
    if octet_length(_job.url) > 8192 or octet_length(_job.job_owner) > 1024 or octet_length(_job.signing_vault) > 256
       or octet_length(_job.signing_header) > 128 then
        perform internal.check_text('url', _job.url, 8192), internal.check_text('job_owner', _job.job_owner, 1024),
                internal.check_text('signing_vault', _job.signing_vault, 256),
                internal.check_text('signing_header', _job.signing_header, 128);
    end if;
    if _job.url is null then
        raise exception using errcode = '22004', message = 'url must not be null';
    end if;
    if not isfinite(_job.run_at) then
        raise exception using errcode = '22008', message = 'run_at must be a finite time';
    end if;
    if _job.job_type = 'FUNC' then
        perform internal.check_job_function(_job.url);
    elsif _job.url !~ '^(/|[Hh][Tt][Tt][Pp][Ss]?://[^/?#[:space:]])[^[:space:][:cntrl:]]*$' then
        raise exception using errcode = '22023', message = format('url "%s" is not of a known form', left(_job.url, 128)),
            hint = 'Give http://..., https://..., or /name for an edge function.';
    elsif _job.url like '/%' and internal.leaves_base(_job.url) then
        raise exception using errcode = '22023',
            message = format('url "%s" could lead out of the base of edge functions', left(_job.url, 128)),
            hint = 'Give /name, without dot segments, backslashes and double escapes.';
    end if;
    if _job.retry_limit is not null and _job.retry_limit not between 0 and 100 then
        raise exception using errcode = '22023', message = format('retry_limit %s is not between 0 and 100', _job.retry_limit);
    end if;
    if _job.timeout <= interval '0' then
        raise exception using errcode = '22023', message = 'timeout must be positive';
    end if;
    if _job.signing_style = 'STANDARD_WEBHOOKS' and _job.signing_alg <> 'sha256' then
        raise exception using errcode = '22023', message = format('signing_alg %s does not go with STANDARD_WEBHOOKS', _job.signing_alg),
            hint = 'Standard Webhooks sign with sha256.';
    end if;
    if _job.signing_header !~ '^[-!#$%&''*+.^_`|~0-9A-Za-z]+$' then
        raise exception using errcode = '22023', message = format('header name "%s" is not valid', left(_job.signing_header, 128));
    end if;
    if _job.payload is not null and pg_column_size(_job.payload) > 500 then
        _size := octet_length(_job.payload::text);
        if _size > internal.number_setting('max_payload_bytes') then
            raise exception using errcode = '54000',
                message = format('payload of %s bytes is over the limit of %s bytes', _size, internal.number_setting('max_payload_bytes')),
                hint = 'Raise max_payload_bytes with internal.set_config.';
        end if;
        if jsonb_path_exists(_job.payload, 'strict $.**{64}') then
            raise exception using errcode = '54000', message = 'payload is nested deeper than 64 levels';
        end if;
    end if;
    if _job.headers is not null then
        if jsonb_typeof(_job.headers) <> 'object' then
            raise exception using errcode = '22023', message = 'headers must be a JSON object';
        end if;
        if pg_column_size(_job.headers) > 400 then -- fewer bytes cannot hold too many headers
            _problem := internal.header_bounds('headers', _job.headers, 50, 65536);
            if _problem is not null then
                raise exception using errcode = '54000', message = _problem;
            end if;
        end if;
        for _header in select h.key, jsonb_typeof(h.value) as type, h.value #>> '{}' as value from jsonb_each(_job.headers) as h loop
            if _header.key !~ '^[-!#$%&''*+.^_`|~0-9A-Za-z]+$' or length(_header.key) > 128 then
                raise exception using errcode = '22023', message = format('header name "%s" is not valid', left(_header.key, 128));
            elsif lower(_header.key) in ('host', 'content-length', 'transfer-encoding') then
                raise exception using errcode = '22023', message = format('header "%s" cannot be chosen', _header.key);
            elsif _header.type not in ('string', 'number', 'boolean') then
                raise exception using errcode = '22023', message = format('value of header "%s" is not a text', _header.key);
            elsif _header.value ~ '[\r\n]' then
                raise exception using errcode = '22023', message = format('line break in the value of header "%s"', _header.key);
            elsif _header.value ~ '[\u0001-\u0008\u000b-\u001f\u007f-\u009f]' then
                raise exception using errcode = '22023', message = format('control character in the value of header "%s"', _header.key);
            end if;
        end loop;
    end if;
end
$$;
comment on function internal.check_job(pgqueue.job) is 'Refuses a job that could never run.';
