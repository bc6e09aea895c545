-- Included by the attacks: mallory may enqueue and owns one schema, evil.  In it every common operator and function of
-- PostgreSQL stands once more and writes down who used it.  If a statement of ours is ever looked up there, test.loot()
-- tells with whose rights it ran.
create role test_mallory;
grant queues_enqueuer to test_mallory;
create schema evil authorization test_mallory;
grant usage on schema evil to public;
create table evil.loot (who text, what text);
alter table evil.loot owner to test_mallory;
set local role test_mallory;
create function evil.took(_who text, _what text) returns void language sql security definer set search_path = pg_catalog
as $$ insert into evil.loot values (_who, _what) $$;
do $do$
declare
    _types constant regtype[] := '{text, integer, bigint, jsonb, timestamptz, boolean, interval, name, uuid}';
    _it record;
    _name text;
begin
    for _it in
        select o.oid, o.oprname as name, o.oprleft::regtype as l, o.oprright::regtype as r, o.oprresult::regtype as result
        from pg_operator as o
        where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprleft = any(_types) and o.oprright = any(_types)
    loop
        _name := 'op_' || _it.oid;
        execute format('create function evil.%I(%s, %s) returns %s language plpgsql set search_path = pg_catalog as '
                       '$f$ begin perform evil.took(current_user, %L); return $1 operator(pg_catalog.%s) $2; end $f$',
                       _name, _it.l, _it.r, _it.result, 'operator ' || _it.name, _it.name);
        execute format('create operator evil.%s (leftarg = %s, rightarg = %s, function = evil.%I)', _it.name, _it.l, _it.r, _name);
    end loop;
    for _it in
        select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments, p.prorettype::regtype as result, p.pronargs as n
        from pg_proc as p
        where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and not p.proretset and p.provariadic = 0
          and p.prorettype = any(_types) and p.proargtypes::oid[] <@ _types::oid[] and p.proargmodes is null
    loop
        execute format('create function evil.%I(%s) returns %s language plpgsql set search_path = pg_catalog as '
                       '$f$ begin perform evil.took(current_user, %L); return pg_catalog.%I(%s); end $f$',
                       _it.name, _it.arguments, _it.result, 'function ' || _it.name, _it.name,
                       (select string_agg('$' || i, ', ' order by i) from generate_series(1, _it.n) as i));
    end loop;
end
$do$;
-- What code of a user's leaves behind to take over whoever goes on in its session.
create function evil.spoil() returns void language plpgsql volatile as
$$ begin perform pg_catalog.set_config('search_path', 'evil, pg_catalog', false); end $$;
set local role none;

-- Who was caught: users of evil's operators other than mallory herself.
create function test.loot() returns text language sql volatile set search_path = pg_catalog
as $$ select coalesce(string_agg(distinct l.who || ' ' || l.what, ', '), '') from evil.loot as l where l.who <> 'test_mallory' $$;
