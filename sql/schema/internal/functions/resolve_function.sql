-- internal.resolve_function(_function, _kinds)
-- Finds the one function meant by schema.name or schema.name(types) in the catalog
-- and checks that it fits the kinds.  Text from outside only ever selects rows.
create or replace function internal.resolve_function(_function text, _kinds text[],
        out oid oid, out function_name text, out signature text,
        out prosecdef boolean, out has_search_path boolean)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _head constant text := split_part(_function, '(', 1);
    _schema constant text := case when _head like '%.%' then split_part(_head, '.', 1) else 'public' end;
    _name constant text := case when _head like '%.%' then substr(_head, strpos(_head, '.') + 1) else _head end;
    _exact regprocedure;
    _found pg_proc;
    _count integer;
begin
    if _schema in ('pg_catalog', 'information_schema') or _schema like 'pg\_temp%' or _schema like 'pg\_toast%' then
        raise exception using errcode = '42501',
            message = format('function "%s" is in a system schema', left(_function, 128));
    end if;
    if _function like '%(%' then
        begin
            _exact := to_regprocedure(quote_ident(_schema) || '.' || quote_ident(_name)
                                      || substr(_function, strpos(_function, '(')));
        exception when syntax_error or invalid_text_representation or undefined_object or invalid_schema_name then
            _exact := null;
        end;
    end if;
    select count(*), min(p.oid::bigint)::oid into _count, oid
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname = _schema and p.proname = _name
      and (_function not like '%(%' or p.oid = _exact);
    if _count = 0 then
        raise exception using errcode = '42883', message = format('function "%s" does not exist', left(_function, 128));
    elsif _count > 1 then
        raise exception using errcode = '42725', message = format('function name "%s" is not unique', left(_function, 128)),
            hint = 'Give the argument types: schema.name(jsonb).';
    end if;
    select p.* into _found from pg_proc as p where p.oid = resolve_function.oid;
    function_name := _schema || '.' || _name;
    signature := format('%s(%s)', function_name, oidvectortypes(_found.proargtypes));
    prosecdef := _found.prosecdef;
    has_search_path := coalesce(_found.proconfig::text like '%search_path=%', false);
    if not internal.fits_kinds(_found, _kinds) then
        raise exception using errcode = '42P13',
            message = format('function %s cannot be registered as %s', signature, array_to_string(_kinds, ',')),
            detail = format('It is %s and returns %s.',
                case _found.prokind when 'f' then 'a function' when 'p' then 'a procedure'
                                    when 'a' then 'an aggregate' else 'a window function' end,
                pg_get_function_result(oid)),
            hint = 'Tasks, supervisors and handlers take one jsonb and return jsonb; facts take one bigint or jsonb, are stable and return one row.';
    end if;
end
$$;
comment on function internal.resolve_function(text, text[]) is 'Finds a function in the catalog and checks its shape.';
