-- internal.keep_view(_name, _query)
-- Makes a view unless it is already there with this query.  To replace a view locks it, and whoever
-- inserts into it or reads it waits.  The new definition is compared in the server's own words: a
-- candidate is made from it, read back and dropped.
-- Called by  what scripts/bundle_sql makes of the files of views for a migration
create or replace function internal.keep_view(_name text, _query text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _view constant regclass := to_regclass(_name);
    _is_same boolean;
begin
    if _view is not null then
        execute format('create view internal.candidate as %s', _query);
        _is_same := pg_get_viewdef(to_regclass('internal.candidate')) = pg_get_viewdef(_view);
        execute 'drop view internal.candidate';
        if _is_same then
            return;
        end if;
        perform internal.lock_relations(array[_name]);
    end if;
    execute format('create or replace view %s as %s', _name, _query);
end
$$;
comment on function internal.keep_view(text, text) is 'Makes a view unless it is there as it should be.';
