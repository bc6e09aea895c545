-- internal.put_secret(_name, _secret, _description), internal.drop_secret(_name), internal.secret_names()
-- The functions of reeve secret, for either vault.  The program seals a value before it calls.
create or replace function internal.put_secret(_name text, _secret text, _description text default null) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id uuid;
begin
    if coalesce(_name, '') = '' or _secret is null then
        raise exception using errcode = '22004', message = 'name and secret must not be null';
    end if;
    perform internal.check_text('name', _name, 256), internal.check_text('secret', _secret, 131072),
            internal.check_text('description', _description, 1024);
    select s.id into _id from vault.secrets as s where s.name = _name for update;
    if found then
        perform vault.update_secret(_id, _secret, _name, _description);
    else
        perform vault.create_secret(_secret, _name, coalesce(_description, ''));
    end if;
    perform internal.audit('put_secret', _name);
    return case when _id is null then 'added' else 'changed' end;
end
$$;
comment on function internal.put_secret(text, text, text) is 'Adds or changes a named secret.';

create or replace function internal.drop_secret(_name text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _found boolean;
begin
    delete from vault.secrets as s where s.name = _name;
    _found := found;
    if _found then
        perform internal.audit('drop_secret', _name);
    end if;
    return _found;
end
$$;
comment on function internal.drop_secret(text) is 'Removes a named secret.';

create or replace function internal.secret_names() returns table (name text, description text, is_sealed boolean, updated_at timestamptz)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
        select s.name, s.description, coalesce(s.decrypted_secret, s.secret) like 'reeve:v1:%', s.updated_at
        from vault.decrypted_secrets as s where s.name is not null order by s.name;
end
$$;
comment on function internal.secret_names() is 'Named secrets, without their values.';
