-- internal.keep_view(_name, _query)
-- Makes a view unless it is already there with this query.  To replace a view locks it, and whoever
-- inserts into it or reads it waits; so it is replaced only where this transaction may (internal.take_relation).
-- The new definition is compared in the server's own words: a candidate is made from it, read back and undone.
-- Called by  what scripts/bundle_sql makes of the files of views for a migration
create or replace function internal.keep_view(_name text, _query text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _view constant regclass := to_regclass(_name);
    _definition text;
begin
    if _view is not null then
        begin
            execute format('create view internal.candidate as %s', _query);
            _definition := pg_get_viewdef(to_regclass('internal.candidate'));
            raise exception using errcode = 'QU010', message = 'value';
        exception
            when sqlstate 'QU010' then
                null; -- The candidate is gone, what it said is not.
            when undefined_column or undefined_function or undefined_table then
                null; -- It needs another view in its new form, which comes first.
        end;
        if coalesce(_definition = pg_get_viewdef(_view), false) or not internal.take_relation(_view) then
            return;
        end if;
    end if;
    execute format('create or replace view %s as %s', _name, _query);
end
$$;
comment on function internal.keep_view(text, text) is 'Makes a view unless it is there as it should be.';
