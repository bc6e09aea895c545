-- Everything in the schemas of ours (and of nobody else), one line per property, sorted.
-- Privileges that were never touched read like the default ones.
with ours as (
    select n.oid, n.nspname from pg_namespace as n where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
)
select line from (
    select format('schema %s owner %s acl %s', o.nspname, pg_get_userbyid(n.nspowner),
                  (select array_agg(a::text order by a::text) from unnest(coalesce(n.nspacl, acldefault('n', n.nspowner))) as a)) as line
    from ours as o join pg_namespace as n on n.oid = o.oid
    union all
    select format('%s %s.%s owner %s options %s acl %s comment %s', c.relkind, o.nspname, c.relname, pg_get_userbyid(c.relowner),
                  c.reloptions, (select array_agg(a::text order by a::text) from unnest(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))) as a), obj_description(c.oid, 'pg_class'))
    from ours as o join pg_class as c on c.relnamespace = o.oid where c.relkind in ('r', 'v', 'S', 'c')
    union all
    select format('column %s.%s.%s nth %s type %s not null %s identity %s default %s comment %s', o.nspname, c.relname, a.attname,
                  a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid),
                  col_description(c.oid, a.attnum))
    from ours as o join pg_class as c on c.relnamespace = o.oid
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef as d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'v', 'c')
    union all
    select format('constraint %s on %s: %s', x.conname, coalesce(x.conrelid::regclass::text, x.contypid::regtype::text), pg_get_constraintdef(x.oid))
    from ours as o join pg_constraint as x on x.connamespace = o.oid
    union all
    select format('index %s', pg_get_indexdef(i.indexrelid))
    from ours as o join pg_class as c on c.relnamespace = o.oid join pg_index as i on i.indrelid = c.oid
    union all
    select format('view %s.%s: %s', o.nspname, c.relname, pg_get_viewdef(c.oid))
    from ours as o join pg_class as c on c.relnamespace = o.oid where c.relkind = 'v'
    union all
    select format('function %s owner %s acl %s comment %s: %s', p.oid::regprocedure, pg_get_userbyid(p.proowner),
                  (select array_agg(a::text order by a::text) from unnest(coalesce(p.proacl, acldefault('f', p.proowner))) as a), obj_description(p.oid, 'pg_proc'), pg_get_functiondef(p.oid))
    from ours as o join pg_proc as p on p.pronamespace = o.oid
    union all
    select format('trigger %s', pg_get_triggerdef(t.oid))
    from ours as o join pg_class as c on c.relnamespace = o.oid join pg_trigger as t on t.tgrelid = c.oid where not t.tgisinternal
    union all
    select format('type %s.%s kind %s comment %s', o.nspname, t.typname, t.typtype, obj_description(t.oid, 'pg_type'))
    from ours as o join pg_type as t on t.typnamespace = o.oid
) as lines(line)
order by line;
