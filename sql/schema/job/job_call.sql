-- internal.type_name(_type)
-- The name of a type, quoted and with its schema, so that it means the same under every search_path.
create or replace function internal.type_name(_type oid) returns text
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select format('%I.%I', n.nspname, t.typname) from pg_type as t join pg_namespace as n on n.oid = t.typnamespace where t.oid = _type
$$;
comment on function internal.type_name(oid) is 'Name of a type with its schema.';

-- internal.job_call(_function, _payload)
-- The call of a function registered for jobs, with the keys of the payload as parameter names.  The values are read from $1 at the
-- run; names and types come from the catalog and are quoted by the server.  Every name is qualified: the call runs under the
-- search_path of handlers, and others may create objects there.
create or replace function internal.job_call(_function text, _payload jsonb) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _known record;
    _proc pg_proc;
    _arguments text := '';
    _parameter record;
    _type text;
    _form text;
    _keys text[] := array[]::text[];
begin
    select f.call, f.signature into _known from internal.allowed_function as f
    where f.function_name = _function and f.enabled and 'job' = any(string_to_array(f.kind, ','));
    if not found then
        raise exception using errcode = '42501', message = format('function "%s" is not registered as a job', left(_function, 128)),
            hint = 'Register it with internal.allow_function.';
    end if;
    select p.* into _proc from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
    where format('%s.%s(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)) = _known.signature;
    if not found then
        raise exception using errcode = '42883', message = format('function "%s" does not exist', _known.signature);
    end if;
    if jsonb_typeof(coalesce(_payload, '{}')) <> 'object' then
        raise exception using errcode = '22023', message = 'payload of a FUNC job must be a JSON object';
    end if;
    for _parameter in
        select a.n, a.name, a.type, a.n > _proc.pronargs - _proc.pronargdefaults as has_default,
               y.typelem, y.typcategory = 'A' as is_array
        from (select row_number() over (order by x.i) as n, x.name, x.type
              from (select i, _proc.proargnames[i] as name,
                           case when _proc.proallargtypes is null then _proc.proargtypes[i - 1] else _proc.proallargtypes[i] end as type,
                           coalesce(_proc.proargmodes[i], 'i') as mode
                    from generate_series(1, coalesce(array_length(_proc.proallargtypes, 1), _proc.pronargs)) as i) as x
              where x.mode in ('i', 'b', 'v')) as a
        join pg_type as y on y.oid = a.type
    loop
        _keys := _keys || _parameter.name;
        if not coalesce(_payload ? _parameter.name, false) then
            if not _parameter.has_default then
                raise exception using errcode = '22023', message = format('parameter "%s" of %s is missing', _parameter.name, _function);
            end if;
            continue;
        end if;
        _type := internal.type_name(_parameter.type);
        _form := jsonb_typeof(_payload->_parameter.name);
        if _form = 'null' then
            _form := 'null::' || _type;
        elsif _parameter.type in ('json'::regtype, 'jsonb'::regtype) then
            _form := format('($1 operator(pg_catalog.->) %L::pg_catalog.text)::%s', _parameter.name, _type);
        elsif _form = 'array' and _parameter.is_array then
            if jsonb_path_exists(_payload->_parameter.name, 'strict $[*] ? (@.type() == "array" || @.type() == "object")')
               and _parameter.typelem not in ('json'::regtype, 'jsonb'::regtype) then
                raise exception using errcode = '22023', message = format('parameter "%s" of %s cannot be nested', _parameter.name, _function);
            end if;
            _form := format('array(select e::%s from pg_catalog.jsonb_array_elements%s($1 operator(pg_catalog.->) %L::pg_catalog.text)'
                            ' with ordinality as x(e, n) order by n using operator(pg_catalog.<))',
                            internal.type_name(_parameter.typelem),
                            case when _parameter.typelem in ('json'::regtype, 'jsonb'::regtype) then '' else '_text' end,
                            _parameter.name);
        elsif _form in ('object', 'array') then
            raise exception using errcode = '22023',
                message = format('parameter "%s" of %s cannot be made from %s', _parameter.name, _function,
                                 case _form when 'object' then 'an object' else 'an array' end);
        else
            _form := format('($1 operator(pg_catalog.->>) %L::pg_catalog.text)::%s', _parameter.name, _type);
        end if;
        _arguments := _arguments || case when _arguments = '' then '' else ', ' end || format('%I => %s', _parameter.name, _form);
    end loop;
    if exists (select 1 from jsonb_object_keys(coalesce(_payload, '{}')) as k where k <> all(_keys)) then
        raise exception using errcode = '22023', message = format('%s has no parameter "%s"', _function,
            (select left(min(k), 128) from jsonb_object_keys(_payload) as k where k <> all(_keys)));
    end if;
    return format('select pg_catalog.to_jsonb(%s(%s)::pg_catalog.text)', _known.call, _arguments);
end
$$;
comment on function internal.job_call(text, jsonb) is 'Statement that calls the function of a FUNC job.';
