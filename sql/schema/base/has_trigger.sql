-- internal.has_trigger(_table, _name, _definition)
-- Does the catalogue have this trigger, word for word?  _definition is the text of pg_get_triggerdef in small letters, with %I
-- for the name and %s for the table.  The events are in the order insert, delete, update, truncate.
create or replace function internal.has_trigger(_table text, _name name, _definition text) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select exists (
        select 1 from pg_trigger as t
        where t.tgrelid = to_regclass(_table) and t.tgname = _name and t.tgenabled = 'O'
          and lower(pg_get_triggerdef(t.oid)) = format(_definition, _name, _table))
$$;
comment on function internal.has_trigger(text, name, text) is 'Whether a trigger exists with this definition.';
