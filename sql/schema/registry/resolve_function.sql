-- internal.resolve_function(_function, _kinds)
-- Finds the one function that schema.name or schema.name(types) names in the catalog, and checks that it fits the kinds.  Text from
-- outside is only compared with rows of the catalog.
create or replace function internal.resolve_function(_function text, _kinds text[],
        out oid oid, out function_name text, out signature text,
        out prosecdef boolean, out has_search_path boolean)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _found pg_proc;
begin
    oid := internal.find_routine(_function);
    select p.* into _found from pg_proc as p where p.oid = resolve_function.oid;
    function_name := (select n.nspname from pg_namespace as n where n.oid = _found.pronamespace) || '.' || _found.proname;
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
comment on function internal.resolve_function(text, text[]) is 'Finds a function in the catalog and checks its signature.';
