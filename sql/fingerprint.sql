-- One text that differs if functions, views, triggers, grants or first rows differ.  A migration without new files computes it
-- before and after it has applied everything.  If nothing changed, the migration rolls back, so that no session plans again.
select md5(string_agg(x.line, E'\n' order by x.line collate "C"))
from (
    select format('%s %s %s %s', p.oid::regprocedure, pg_get_userbyid(p.proowner), pg_get_functiondef(p.oid),
                  (select string_agg(a::text, ',' order by a::text collate "C") from unnest(p.proacl) as a))
           || coalesce(obj_description(p.oid, 'pg_proc'), '') as line
    from pg_proc as p
    where pg_get_userbyid(p.proowner) in ('queues_owner', 'queues_runner') and p.prokind in ('f', 'p')
    union all
    select format('%s %s %s %s', c.oid::regclass, c.reloptions, case c.relkind when 'v' then pg_get_viewdef(c.oid) end,
                  (select string_agg(a::text, ',' order by a::text collate "C") from unnest(c.relacl) as a))
           || coalesce(obj_description(c.oid, 'pg_class'), '')
    from pg_class as c
    where pg_get_userbyid(c.relowner) = 'queues_owner' and c.relkind in ('r', 'v', 'm', 'p')
    union all
    select format('%s %s %s', c.oid::regclass, a.attname, a.attacl)
           || coalesce(col_description(c.oid, a.attnum), '')
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid
    where pg_get_userbyid(c.relowner) = 'queues_owner' and c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0
    union all
    select format('%s %s', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
    where pg_get_userbyid(c.relowner) = 'queues_owner' and not t.tgisinternal
    union all
    select format('%s %s', n.nspname, (select string_agg(a::text, ',' order by a::text collate "C") from unnest(n.nspacl) as a))
    from pg_namespace as n where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
    union all
    select format('%s %s', d.defaclobjtype, d.defaclacl) from pg_default_acl as d where pg_get_userbyid(d.defaclrole) = 'queues_owner'
    union all
    select format('setting %s', c.key) from internal.config as c
    union all
    select format('without %s', c.value) from internal.config as c where c.key = 'without'
    union all
    select format('queue %s', q.queue) from queues.queue as q
    union all
    select format('type %s', t.task_type) from queues.registered_task_type as t
    union all
    select format('function %s %s', f.function_name, f.returns_facts) from internal.allowed_function as f
    union all
    select format('command %s', c.command) from worker.command_registry as c
    union all
    select format('installations %s', count(*)) from internal.installation
) as x
