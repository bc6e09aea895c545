-- internal.keep_trigger(_table, _name, _definition)
-- Makes a trigger unless the catalogue already has it, word for word: a trigger that is there
-- costs no lock on its table.  _definition is what pg_get_triggerdef would say, in small letters,
-- with %I for the name and %s for the table; the events stand in the order insert, delete,
-- update, truncate.
-- Called by  sql/triggers.sql
create or replace function internal.keep_trigger(_table regclass, _name name, _definition text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _wanted constant text := format(_definition, _name, _table);
    _found record;
begin
    select pg_get_triggerdef(t.oid) as definition, t.tgenabled into _found
    from pg_trigger as t where t.tgrelid = _table and t.tgname = _name;
    if lower(_found.definition) = _wanted and _found.tgenabled = 'O' then
        return;
    end if;
    if _found is not null then
        execute format('drop trigger %I on %s', _name, _table);
    end if;
    execute _wanted;
end
$$;
comment on function internal.keep_trigger(regclass, name, text) is 'Makes a trigger unless it is there as it should be.';
