-- internal.fold_payload(_rules, _payloads)
-- Folds the payloads of one command, in the order of their arrival, into one: key by key, by the merge rules.  It makes one pass
-- per key, whatever the number of payloads.
create or replace function internal.fold_payload(_rules jsonb, _payloads jsonb[]) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _result jsonb := jsonb_build_object();
    _key text;
    _rule text;
    _value jsonb;
begin
    for _key in select distinct k.key from unnest(_payloads) as p(payload), jsonb_object_keys(p.payload) as k(key) loop
        _rule := case when _key = 'command' then 'keep' else coalesce(_rules->>_key, _rules->>'*', 'replace') end;
        if _rule = 'keep' then
            select p.payload->_key into _value from unnest(_payloads) with ordinality as p(payload, n)
            where p.payload ? _key order by p.n limit 1;
        elsif _rule = 'union' then
            select coalesce(jsonb_agg(distinct e.value order by e.value), '[]') into _value
            from unnest(_payloads) as p(payload),
                 jsonb_array_elements(case jsonb_typeof(p.payload->_key) when 'array' then p.payload->_key else '[]' end) as e(value);
        elsif _rule = 'sum' then
            select to_jsonb(sum((p.payload->>_key)::numeric)) into _value from unnest(_payloads) as p(payload)
            where jsonb_typeof(p.payload->_key) = 'number';
        elsif _rule in ('least', 'greatest') then
            select p.payload->_key into _value from unnest(_payloads) as p(payload)
            where jsonb_typeof(p.payload->_key) <> 'null'
            order by case when _rule = 'least' then p.payload->_key end, case when _rule = 'greatest' then p.payload->_key end desc
            limit 1;
        elsif _rule like 'range\_union%' then
            _value := to_jsonb(internal.range_union(_rule, array(
                select p.payload->>_key from unnest(_payloads) as p(payload) where jsonb_typeof(p.payload->_key) = 'string')));
        else
            select p.payload->_key into _value from unnest(_payloads) with ordinality as p(payload, n)
            where p.payload ? _key order by p.n desc limit 1;
        end if;
        _result := _result || jsonb_build_object(_key, _value);
    end loop;
    return _result;
end
$$;
comment on function internal.fold_payload(jsonb, jsonb[]) is 'Folds the payloads of one command into one.';
