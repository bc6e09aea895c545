-- internal.check_signer(_vault, _url, _role)
-- Refuses a role that may not use the named secret to sign a job to this URL.
create or replace function internal.check_signer(_vault text, _url text, _role name) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _problem constant text := case when _vault is not null then internal.secret_problem(_vault, 'sign', _url, true, _role) end;
begin
    if _problem is not null then
        raise exception using errcode = '42501', message = _problem,
            hint = 'An administrator allows roles and hosts for a secret: internal.allow_secret.';
    end if;
end
$$;
comment on function internal.check_signer(text, text, name) is 'Refuses a role that may not name the secret that signs.';
