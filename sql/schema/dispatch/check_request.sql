-- internal.check_request(_adapter, _payload)
-- Checks the request of an http task when a task is made or changed: may this role name these secrets, and may they go to this
-- host?  The host is checked again when the request is sent.
create or replace function internal.check_request(_adapter text, _payload jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _request constant jsonb := _payload->'request';
    _name record;
    _problem text;
begin
    if _adapter <> 'http' or jsonb_typeof(_request) is distinct from 'object' then
        return;
    end if;
    if _request ? 'base' then
        raise exception using errcode = '22023', message = 'http payload: "base" cannot be chosen';
    end if;
    if pg_column_size(_request) > 400 then
        _problem := internal.request_bounds(_request);
        if _problem is not null then
            raise exception using errcode = '54000', message = _problem;
        end if;
    end if;
    if not _request ?| array['secret_headers', 'sign'] then
        return;
    end if;
    for _name in select n.name, n.use from internal.named_secrets(_request) as n loop
        _problem := internal.secret_problem(_name.name, _name.use, _request->>'url', false, internal.acting_role());
        if _problem is not null then
            raise exception using errcode = '42501', message = _problem,
                hint = 'An administrator allows roles and hosts for a secret: internal.allow_secret.';
        end if;
    end loop;
end
$$;
comment on function internal.check_request(text, jsonb) is 'Refuses a request with secrets that the asking role may not name.';
