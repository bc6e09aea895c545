-- internal.take_relation(_relation, _mode)
-- May this transaction change the table or view?  If so, it is locked.  A transaction of a migration holds one relation
-- that others use and waits for no second one: so nobody can wait for it in a circle, whatever order users lock in.  The setting
-- reeve.step says what the transaction may take:
--   look   nothing; the setting becomes "wanted", so that the program knows that something differs
--   one    one relation, whose oid the setting becomes
--   (none) everything: an installation, and plain psql
-- A relation that never had a grant (sql/grants.sql gives each one) was made by this migration.  Nobody uses it yet, and it may
-- always be changed.
-- Called by  sql/triggers.sql, internal.keep_triggers, internal.keep_view
create or replace function internal.take_relation(_relation regclass, _mode text default 'access exclusive') returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _step constant text := coalesce(current_setting('reeve.step', true), '');
    _is_new boolean;
    _kind "char";
begin
    select c.relacl is null and c.relnamespace <> 'vault'::regnamespace, c.relkind into _is_new, _kind
    from pg_class as c where c.oid = _relation;
    if _is_new or _step in ('', _relation::oid::text) then
        return true;
    elsif _step <> 'one' then
        if _step = 'look' then
            perform set_config('reeve.step', 'wanted', true);
        end if;
        return false;
    end if;
    perform set_config('reeve.step', _relation::oid::text, true);
    if _kind = 'v' then
        -- LOCK TABLE would lock what the view reads as well; this locks the view and changes nothing.
        execute format('alter view %s owner to queues_owner', _relation);
    else
        execute format('lock table only %s in %s mode', _relation, _mode);
    end if;
    return true;
end
$$;
comment on function internal.take_relation(regclass, text) is 'Whether a step of a migration may change a table or view.';
