-- internal.lock_relations(_names, _mode)
-- Takes tables and views of ours for a migration, in the order given; those that do not exist are passed over.
-- A transaction of a user that waits for us looks for a deadlock after deadlock_timeout, and may be the one that
-- is aborted.  So whatever a migration locks is locked within half of that time from its first call on, or it
-- gives up (55P03); the program then tries again.  The setting reeve.lock_until holds that moment for later calls.
-- Called by  sql/locks.sql, sql/triggers.sql, internal.keep_view
create or replace function internal.lock_relations(_names text[], _mode text default 'access exclusive') returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _patience constant text := current_setting('lock_timeout');
    _until timestamptz := nullif(current_setting('reeve.lock_until', true), '')::timestamptz;
    _relation record;
begin
    for _relation in
        select c.oid::regclass as name, c.relkind
        from unnest(_names) with ordinality as t(name, place)
        -- By the catalog: a schema of this name may be the application's, and closed to us.
        join pg_namespace as n on n.nspname = split_part(t.name, '.', 1)
        join pg_class as c on c.relnamespace = n.oid and c.relname = split_part(t.name, '.', 2) and c.relkind in ('r', 'v')
        where pg_get_userbyid(c.relowner) = 'queues_owner'
        order by t.place
    loop
        if _until is null then
            select clock_timestamp() + s.setting::integer / 2 * interval '1 millisecond' into _until
            from pg_settings as s where s.name = 'deadlock_timeout';
            perform set_config('reeve.lock_until', _until::text, true);
        end if;
        perform set_config('lock_timeout',
            greatest(ceil(extract(epoch from _until - clock_timestamp()) * 1000), 1)::text, true);
        if _relation.relkind = 'v' then
            -- LOCK TABLE would lock what the view reads as well; this locks the view and changes nothing.
            execute format('alter view %s owner to queues_owner', _relation.name);
        else
            execute format('lock table only %s in %s mode', _relation.name, _mode);
        end if;
    end loop;
    perform set_config('lock_timeout', _patience, true);
end
$$;
comment on function internal.lock_relations(text[], text) is 'Takes tables and views for a migration, within a time that harms nobody.';
