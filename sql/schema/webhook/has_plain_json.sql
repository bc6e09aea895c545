-- internal.has_plain_json(_type)
-- Can to_json write a value of this type, and of every type inside it, without code of a user's?  It looks for a cast to
-- json where the type is not built in.  Casts of a type can be made by its owner and by superusers, at any moment, so
-- such a type counts as plain only if a superuser owns it, and its cast, if there is one, is C code of a superuser's.
create or replace function internal.has_plain_json(_type oid) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return not exists (
        with recursive used(typid) as (
            select _type
            union
            select n.typid from used as u
            join pg_type as t on t.oid = u.typid
            cross join lateral (
                select t.typelem where t.typelem <> 0
                union all select t.typbasetype where t.typbasetype <> 0
                union all select a.atttypid from pg_attribute as a
                          where a.attrelid = t.typrelid and t.typrelid <> 0 and a.attnum > 0 and not a.attisdropped) as n(typid)
        )
        select 1 from used as u
        join pg_type as t on t.oid = u.typid
        left join pg_cast as c on c.castsource = t.oid and c.casttarget = 'json'::regtype and c.castfunc <> 0
        left join pg_proc as p on p.oid = c.castfunc
        left join pg_language as l on l.oid = p.prolang
        -- Domains, composites and arrays are looked through.
        where t.oid >= 16384 and t.typtype not in ('d', 'c') and t.typcategory <> 'A'
          and ((select r.rolsuper from pg_roles as r where r.oid = t.typowner) is not true
               or c.castfunc is not null and (l.lanname not in ('c', 'internal')
                                              or (select r.rolsuper from pg_roles as r where r.oid = p.proowner) is not true)));
end
$$;
comment on function internal.has_plain_json(oid) is 'Is a type written as JSON without code of a user''s?';
