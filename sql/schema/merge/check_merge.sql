-- internal.check_merge(_rules, _payload)
-- Refuses a payload that its merge rules could not fold, so that folding never fails.
create or replace function internal.check_merge(_rules jsonb, _payload jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule record;
begin
    if not exists (
            select 1 from jsonb_each(_payload) as e cross join lateral (select coalesce(_rules->>e.key, _rules->>'*')) as r(rule)
            where r.rule = 'union' and jsonb_typeof(e.value) <> 'array' or r.rule = 'sum' and jsonb_typeof(e.value) <> 'number'
               or r.rule like 'range\_union%') then
        return;
    end if;
    for _rule in
        select e.key, e.value, coalesce(_rules->>e.key, _rules->>'*') as rule, jsonb_typeof(e.value) as type
        from jsonb_each(_payload) as e where e.key <> 'command'
    loop
        continue when _rule.type = 'null';
        if _rule.rule = 'union' and _rule.type <> 'array' or _rule.rule = 'sum' and _rule.type <> 'number' then
            raise exception using errcode = '22023',
                message = format('payload key "%s" must be %s: its merge rule is %s', left(_rule.key, 64),
                                 case _rule.rule when 'sum' then 'a number' else 'an array' end, _rule.rule);
        elsif _rule.rule like 'range\_union%' then
            begin
                if _rule.type <> 'string' then
                    raise exception using errcode = '22P02', message = 'not a string';
                end if;
                perform internal.range_union(_rule.rule, array[_rule.value #>> '{}']);
            exception when data_exception then
                raise exception using errcode = '22023',
                    message = format('payload key "%s" must be a range as text: its merge rule is %s', left(_rule.key, 64), _rule.rule),
                    detail = sqlerrm;
            end;
        end if;
    end loop;
end
$$;
comment on function internal.check_merge(jsonb, jsonb) is 'Refuses a payload that cannot be merged.';
