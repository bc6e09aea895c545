-- internal.check_job_secrets(_token, _secret)
-- Checks the length of secrets that are given to a job by value.
create or replace function internal.check_job_secrets(_token text, _secret bytea) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.check_text('job_jwt', _token, 16384);
    if octet_length(_secret) > 16384 then
        raise exception using errcode = '54000',
            message = format('signing_secret of %s bytes is over the limit of 16384 bytes', octet_length(_secret));
    end if;
end
$$;
comment on function internal.check_job_secrets(text, bytea) is 'Checks the length of secrets given by value.';
