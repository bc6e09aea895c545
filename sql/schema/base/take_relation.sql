-- internal.take_relation(_relation, _mode)
-- May this transaction change the table or view?  If so, the function locks it.  A transaction of a migration holds one relation
-- that others use, and never waits for a second one.  So it cannot be part of a deadlock, whatever order users lock in.  The
-- setting reeve.step says which relations the transaction may take:
--   look   none; the setting becomes "wanted", so that the program knows that something differs
--   one    one relation; the setting becomes its oid
--   (none) all: an installation, and plain psql
-- A relation without any grant was made by this migration (sql/grants.sql grants on each one).  Nobody uses it yet, so it may
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
        -- LOCK TABLE would also lock the tables that the view reads.  This locks only the view, and changes nothing.
        execute format('alter view %s owner to queues_owner', _relation);
    else
        execute format('lock table only %s in %s mode', _relation, _mode);
    end if;
    return true;
end
$$;
comment on function internal.take_relation(regclass, text) is 'Whether a step of a migration may change a table or view.';
