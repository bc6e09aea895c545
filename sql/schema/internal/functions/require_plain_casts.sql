-- internal.require_plain_casts(_relid)
-- Refuses a table with a type whose cast to JSON is somebody's function: a webhook would call it
-- with the rights of our owner.
create or replace function internal.require_plain_casts(_relid oid) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _type regtype;
begin
    if not exists (select 1 from pg_cast as c where c.casttarget = 'json'::regtype and c.castfunc >= 16384) then
        return;
    end if;
    with recursive used(typid) as (
        select a.atttypid from pg_attribute as a where a.attrelid = _relid and a.attnum > 0 and not a.attisdropped
        union
        select n.typid from used as u
        join pg_type as t on t.oid = u.typid
        cross join lateral (
            select t.typelem where t.typelem <> 0
            union all select t.typbasetype where t.typbasetype <> 0
            union all select a.atttypid from pg_attribute as a where a.attrelid = t.typrelid and t.typrelid <> 0 and a.attnum > 0
                                                                 and not a.attisdropped) as n(typid)
    )
    select u.typid into _type from used as u
    join pg_cast as c on c.castsource = u.typid and c.casttarget = 'json'::regtype
    join pg_proc as p on p.oid = c.castfunc
    where not p.prosecdef and not (select r.rolsuper from pg_roles as r where r.oid = p.proowner)
    limit 1;
    if found then
        raise exception using errcode = '0A000', message = format('a webhook cannot send values of type %s', _type),
            detail = 'Its cast to json is a function that would run with the rights of the owner of the queue.',
            hint = 'Leave the cast out, or make its function security definer.';
    end if;
end
$$;
comment on function internal.require_plain_casts(oid) is 'Refuses types with casts that would run as our owner.';
