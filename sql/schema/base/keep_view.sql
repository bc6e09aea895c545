-- internal.keep_view(_name, _query)
-- Makes a view unless it exists with this query.  Replacing a view locks it, and its readers and writers wait.  So it is
-- replaced only if this transaction may do so (internal.take_relation).  The server itself compares the two definitions: a
-- candidate is made from the query, read back and rolled back.
-- Called by  the text that scripts/bundle_sql makes of the view files for a migration
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
                null; -- The candidate is rolled back; its definition is kept in a variable.
            when undefined_column or undefined_function or undefined_table then
                null; -- The query needs another view in its new form, which is made first.
        end;
        if coalesce(_definition = pg_get_viewdef(_view), false) or not internal.take_relation(_view) then
            return;
        end if;
    end if;
    execute format('create or replace view %s as %s', _name, _query);
end
$$;
comment on function internal.keep_view(text, text) is 'Makes a view that is missing or differs.';
