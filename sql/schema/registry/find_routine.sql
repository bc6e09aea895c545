-- internal.find_routine(_name)
-- The one function or procedure that schema.name or schema.name(types) names; a name without a schema means public.  Text from
-- outside is only compared with rows of the catalog.
create or replace function internal.find_routine(_name text) returns oid
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _head constant text := split_part(_name, '(', 1);
    _schema constant text := case when _head like '%.%' then split_part(_head, '.', 1) else 'public' end;
    _plain constant text := case when _head like '%.%' then substr(_head, strpos(_head, '.') + 1) else _head end;
    _exact regprocedure;
    _oid oid;
    _count integer;
begin
    if _schema in ('pg_catalog', 'information_schema') or _schema like 'pg\_temp%' or _schema like 'pg\_toast%' then
        raise exception using errcode = '42501',
            message = format('function "%s" is in a system schema', left(_name, 128));
    end if;
    if _name like '%(%' then
        begin
            _exact := to_regprocedure(quote_ident(_schema) || '.' || quote_ident(_plain) || substr(_name, strpos(_name, '(')));
        exception when syntax_error or invalid_text_representation or undefined_object or invalid_schema_name then
            _exact := null;
        end;
    end if;
    select count(*), min(p.oid::bigint)::oid into _count, _oid
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname = _schema and p.proname = _plain
      and (_name not like '%(%' or p.oid = _exact);
    if _count = 0 then
        raise exception using errcode = '42883', message = format('function "%s" does not exist', left(_name, 128));
    elsif _count > 1 then
        raise exception using errcode = '42725', message = format('function name "%s" is not unique', left(_name, 128)),
            hint = 'Give the argument types: schema.name(jsonb).';
    end if;
    return _oid;
end
$$;
comment on function internal.find_routine(text) is 'Finds a function or procedure in the catalog.';
