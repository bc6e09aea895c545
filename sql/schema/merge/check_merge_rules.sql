-- internal.check_merge_rules(_rules)
-- Refuses merge rules that are not of the form {"payload key": "rule"} with rules that we know.
create or replace function internal.check_merge_rules(_rules jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule record;
begin
    if jsonb_typeof(_rules) <> 'object' then
        raise exception using errcode = '22023', message = 'merge rules must be a JSON object',
            hint = 'For example: {"ids": "union", "since": "least", "*": "replace"}';
    end if;
    for _rule in select e.key, e.value #>> '{}' as rule, split_part(e.value #>> '{}', ':', 1) as word,
                        split_part(e.value #>> '{}', ':', 2) as type from jsonb_each(_rules) as e loop
        if _rule.word is distinct from 'range_union' and (_rule.rule is null or _rule.rule not in
                ('keep', 'replace', 'union', 'least', 'greatest', 'sum'))
           or _rule.word = 'range_union' and _rule.type not in ('', 'int4multirange', 'int8multirange', 'nummultirange',
                'datemultirange', 'tsmultirange', 'tstzmultirange') then
            raise exception using errcode = '22023',
                message = format('unknown merge rule "%s" for payload key "%s"', left(_rule.rule, 64), left(_rule.key, 64)),
                hint = 'Rules are keep, replace, union, range_union, range_union:datemultirange and the like, least, greatest and sum.';
        end if;
        if _rule.word = 'range_union' and current_setting('server_version_num')::integer < 140000 then
            raise exception using errcode = '0A000', message = 'merge rule "range_union" needs PostgreSQL 14 or later';
        end if;
    end loop;
end
$$;
comment on function internal.check_merge_rules(jsonb) is 'Refuses merge rules that are not known.';
