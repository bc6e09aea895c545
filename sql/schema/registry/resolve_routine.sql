-- internal.resolve_routine(_name, _part)
-- The procedure or function that a command names for a part (handler, hook or merge), and the
-- statement that calls it: built from the catalog, with $1 for the payload and $2 for info.
-- Handlers take (jsonb), or (jsonb, jsonb) with info: procedures as INOUT.  Hooks take
-- nothing or (jsonb).  A merge function takes two jsonb and returns one.
create or replace function internal.resolve_routine(_name text, _part text,
        out oid oid, out call text, out prosecdef boolean, out has_search_path boolean)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _json constant oid := 'jsonb'::regtype;
    _found pg_proc;
    _called text;
    _all_in boolean;
begin
    oid := internal.find_routine(_name);
    select p.* into _found from pg_proc as p where p.oid = resolve_routine.oid;
    select format('%I.%I(%s)', n.nspname, _found.proname,
                  case _found.pronargs when 0 then '' when 1 then '$1' else '$1, $2' end) into _called
    from pg_namespace as n where n.oid = _found.pronamespace;
    prosecdef := _found.prosecdef;
    has_search_path := coalesce(_found.proconfig::text like '%search_path=%', false);
    _all_in := not coalesce(_found.proargmodes && array['b', 'v', 't']::"char"[], false);
    if _found.proretset or _found.prokind not in ('f', 'p')
       or _found.pronargs > 2 or exists (select 1 from unnest(_found.proargtypes) as a(type) where a.type <> _json) then
        call := null;
    elsif _part = 'merge' then
        call := case when _found.prokind = 'f' and _found.pronargs = 2 and _all_in and _found.prorettype = _json
                     then 'select ' || _called end;
    elsif _found.prokind = 'p' then
        call := case when _part = 'handler' and _found.pronargs = 1 and _found.proargmodes is null
                       or _part = 'handler' and _found.pronargs = 2 and _found.proargmodes = array['i', 'b']::"char"[]
                       or _part = 'hook' and _found.pronargs < 2 and _found.proargmodes is null
                     then 'call ' || _called end;
    elsif _all_in and (_found.prorettype <> 'record'::regtype or _found.proargmodes is not null)
       and (_part = 'handler' and _found.pronargs > 0 or _part = 'hook' and _found.pronargs < 2) then
        -- In the from clause every result type is possible; the json result of a handler is its info.
        call := case when _part = 'handler' and _found.prorettype in (_json, 'json'::regtype)
                     then 'select ' || _called || '::jsonb' else 'select null::jsonb from ' || _called end;
    end if;
    if call is null then
        raise exception using errcode = '42P13',
            message = format('%s cannot be the %s of a command', oid::regprocedure,
                             case _part when 'hook' then 'hook' when 'merge' then 'merge function' else 'handler' end),
            detail = format('It is %s with arguments (%s).',
                case _found.prokind when 'f' then 'a function' when 'p' then 'a procedure'
                                    when 'a' then 'an aggregate' else 'a window function' end, pg_get_function_arguments(oid)),
            hint = case _part
                when 'handler' then 'A handler is a procedure (payload jsonb) or (payload jsonb, inout info jsonb), or a function (jsonb) or (jsonb, jsonb).'
                when 'hook' then 'A hook is a procedure or function without arguments or with one jsonb.'
                else 'A merge function takes the old and the new payload, both jsonb, and returns jsonb.' end;
    end if;
end
$$;
comment on function internal.resolve_routine(text, text) is 'Finds a routine of a command and builds its call.';
