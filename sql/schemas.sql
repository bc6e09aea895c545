-- The schemas, made at install and again before each migration, by the installing role.  A schema of one of these names may
-- belong to the application: then it is shared, and only a clash of objects is refused.
-- scripts/bundle_sql fills in the list of our objects from the names of the files.
-- The setting reeve.without names the modules that are left out.
do $$
declare
    _without constant text[] := string_to_array(coalesce(current_setting('reeve.without', true), ''), ',');
    _schema record;
    _clash record;
begin
    for _clash in
        select o.schema, o.name
        from (values /* OBJECTS */ ('', '')) as o(schema, name)
        join pg_namespace as n on n.nspname = o.schema
        where o.schema <> all(_without) and o.schema <> 'vault' -- may be Supabase's
          and (exists (select 1 from pg_class as c where c.relnamespace = n.oid and c.relname = o.name
                       and pg_get_userbyid(c.relowner) <> 'queues_owner')
               or exists (select 1 from pg_proc as p where p.pronamespace = n.oid and p.proname = o.name
                          and pg_get_userbyid(p.proowner) not in ('queues_owner', 'queues_runner'))
               or exists (select 1 from pg_type as t where t.typnamespace = n.oid and t.typname = o.name
                          and pg_get_userbyid(t.typowner) <> 'queues_owner'))
    loop
        raise exception using errcode = '42710',
            message = format('object %s.%s already exists and is not ours', _clash.schema, _clash.name),
            hint = case when _clash.schema in ('comms', 'files')
                             and not exists (select 1 from pg_class as c where c.relnamespace = to_regnamespace(_clash.schema)
                                             and pg_get_userbyid(c.relowner) = 'queues_owner')
                        then format('Leave the module out with --without %s, or rename the object.', _clash.schema)
                        else 'Rename it, or use another database.' end;
    end loop;
    for _schema in
        select s.name, s.comment, pg_get_userbyid(n.nspowner) as owner, n.oid
        from (values ('queues', 'Reeve: tasks, leases and their facts.'),
                     ('internal', 'Reeve: registry, settings and private steps.'),
                     ('worker', 'Reeve: commands, and running tasks inside a transaction.'),
                     ('pgqueue', 'Reeve: HTTP jobs and webhooks.'),
                     ('vault', 'Reeve: named secrets, sealed.'),
                     ('comms', 'Reeve: e-mail and text messages, sent under supervision.'),
                     ('files', 'Reeve: stored files, deleted under supervision.')) as s(name, comment)
        left join pg_namespace as n on n.nspname = s.name
        where s.name <> all(_without)
          -- An existing vault of Supabase is used unchanged.
          and not (s.name = 'vault' and exists (select 1 from pg_class as c where c.relnamespace = n.oid
                   and c.relname = 'decrypted_secrets' and pg_get_userbyid(c.relowner) <> 'queues_owner'))
    loop
        if _schema.oid is null then
            execute format('create schema %I authorization queues_owner', _schema.name);
            execute format('comment on schema %I is %L', _schema.name, _schema.comment);
        elsif not (has_schema_privilege('queues_owner', _schema.oid, 'usage with grant option')
                   and has_schema_privilege('queues_owner', _schema.oid, 'create with grant option')) then
            if not pg_has_role(_schema.owner, 'member') then
                raise exception using errcode = '42501',
                    message = format('schema "%s" exists and belongs to another role', _schema.name),
                    hint = 'Let its owner, or an administrator, install.';
            end if;
            -- A shared schema keeps its owner.  Our grants on it end when our owner role is dropped.
            execute format('grant usage, create on schema %I to queues_owner with grant option', _schema.name);
            raise notice 'schema "%" exists already and is shared with it', _schema.name;
        end if;
    end loop;
end
$$;
