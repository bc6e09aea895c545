-- internal.secret_problem(_name, _use, _url, _is_job, _role)
-- The reason why a call of this URL may not use the secret, or null.  _role: the role that names the secret; null if that was
-- checked before.  Without a record, a job may sign with a secret of the vault, unless the installation is strict.  The worker's
-- role and the owner may name every secret that has a record: their functions enqueue for others.
create or replace function internal.secret_problem(_name text, _use text, _url text, _is_job boolean, _role name) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _place text;
    _rule internal.allowed_secret;
begin
    if octet_length(_name) > 256 then
        return format('name of a secret of %s bytes is over the limit of 256 bytes', octet_length(_name));
    elsif length(_name) in (12, 18) and internal.is_edge_secret(_name) then
        return format('secret "%s" serves edge functions and nothing else', _name);
    end if;
    select a.* into _rule from internal.allowed_secret as a where a.secret_name = _name;
    if not found then
        return case when not _is_job or _use <> 'sign' or (select c.value = 'true' from internal.config as c where c.key = 'strict')
                    then format('secret "%s" has no record of where it may go (internal.allow_secret)', _name) end;
    elsif not _use = any(_rule.uses) then
        return format('secret "%s" may not be used %s', _name, case _use when 'sign' then 'to sign' else 'in a header' end);
    elsif _role is not null and not exists (
            select 1 from unnest(_rule.roles || array['worker_service_user', 'queues_owner']::name[]) as n(role)
            where case when to_regrole(quote_ident(n.role)) is not null then pg_has_role(_role, n.role, 'member') end) then
        return format('role "%s" may not name secret "%s"', _role, _name);
    end if;
    _place := internal.url_place(_url);
    if not exists (
            select 1 from unnest(_rule.hosts) as h(host)
            cross join lateral (select case when h.host in ('*', '/') or h.host ~ ':[0-9]+$' then h.host
                                            else h.host || ':443' end) as e(entry)
            where e.entry = '*' or e.entry = _place
               or (e.entry like '*.%' and _place like '%_' || replace(replace(substr(e.entry, 2), '\', '\\'), '_', '\_'))) then
        return format('secret "%s" may not be used for %s', _name,
                      case when _place = '/' then 'edge functions' when _place is null then 'this URL'
                           else format('"%s"', left(_place, 128)) end);
    end if;
    return null;
end
$$;
comment on function internal.secret_problem(text, text, text, boolean, name) is 'The reason why a call may not use a secret.';
