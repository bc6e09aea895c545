-- internal.allow_secret(_name, _hosts, _roles, _uses), internal.revoke_secret(_name)
-- allow_secret records the calls that may use a named secret, and replaces an existing record.  revoke_secret removes the record.
create or replace function internal.allow_secret(_name text, _hosts text[], _roles name[],
        _uses text[] default array['header', 'sign']) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _host text;
    _role name;
begin
    if coalesce(_name, '') = '' or coalesce(cardinality(_hosts), 0) = 0 or coalesce(cardinality(_roles), 0) = 0
       or coalesce(cardinality(_uses), 0) = 0 then
        raise exception using errcode = '22004', message = 'name, hosts, roles and uses must be given';
    end if;
    perform internal.check_text('name of a secret', _name, 256);
    if cardinality(_hosts) > 100 or cardinality(_roles) > 100 then
        raise exception using errcode = '54000', message = 'more than 100 hosts or roles for one secret';
    end if;
    if internal.is_edge_secret(_name) then
        raise exception using errcode = '22023', message = format('secret "%s" serves edge functions and nothing else', _name);
    end if;
    if exists (select 1 from unnest(_uses) as u where u is null or u not in ('header', 'sign')) then
        raise exception using errcode = '22023', message = 'uses are header and sign';
    end if;
    _hosts := array(select lower(h) from unnest(_hosts) as h);
    foreach _host in array _hosts loop
        if _host = '*' and _uses = array['sign'] then
            continue;
        end if;
        if _host is null or octet_length(_host) > 260
           or _host !~ '^(/|(\*\.)?[a-z0-9]([-a-z0-9._]*[a-z0-9])?(:[1-9][0-9]{0,4})?|\[[0-9a-f:.]+\](:[1-9][0-9]{0,4})?)$' then
            raise exception using errcode = '22023', message = format('"%s" is not a host', left(_host, 128)),
                hint = 'Give host, host:port, *.suffix, *.suffix:port, or / for edge functions; * only with the use "sign" alone.';
        end if;
    end loop;
    foreach _role in array _roles loop
        if not exists (select 1 from pg_roles as r where r.rolname = _role) then
            raise exception using errcode = '42704', message = format('role "%s" does not exist', _role);
        end if;
    end loop;
    insert into internal.allowed_secret as a (secret_name, hosts, roles, uses, added_at, added_by)
    values (_name, _hosts, _roles, _uses, queues.clock(), internal.actor())
    on conflict (secret_name) do update
        set hosts = excluded.hosts, roles = excluded.roles, uses = excluded.uses, added_at = excluded.added_at, added_by = excluded.added_by;
    perform internal.audit('allow_secret', _name,
        jsonb_build_object('hosts', to_jsonb(_hosts), 'roles', to_jsonb(_roles::text[]), 'uses', to_jsonb(_uses)));
end
$$;
comment on function internal.allow_secret(text, text[], name[], text[]) is 'Records the calls that may use a named secret.';

create or replace function internal.revoke_secret(_name text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from internal.allowed_secret as a where a.secret_name = _name;
    if not found then
        return false;
    end if;
    perform internal.audit('revoke_secret', left(_name, 256));
    return true;
end
$$;
comment on function internal.revoke_secret(text) is 'Removes the record of a secret; true if there was one.';
