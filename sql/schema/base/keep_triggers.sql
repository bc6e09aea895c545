-- internal.keep_triggers(_tables, _names, _definitions)
-- Makes triggers that are missing or differ, as far as this transaction may (internal.take_relation).  An equal trigger
-- costs no lock on its table.
-- Called by  sql/triggers.sql
create or replace function internal.keep_triggers(_tables text[], _names text[], _definitions text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _wanted record;
begin
    for _wanted in
        select w.on_table, w.name, w.definition, t.oid is not null as is_there,
               -- Readers do not wait for a new trigger, but for a replacement.
               case when bool_or(t.oid is not null) over (partition by w.on_table) then 'access exclusive'
                    else 'share row exclusive' end as mode
        from unnest(_tables, _names, _definitions) with ordinality as w(on_table, name, definition, place)
        left join pg_trigger as t on t.tgrelid = to_regclass(w.on_table) and t.tgname = w.name
        where not internal.has_trigger(w.on_table, w.name, w.definition)
        order by w.place
    loop
        continue when not internal.take_relation(_wanted.on_table::regclass, _wanted.mode);
        if _wanted.is_there then
            execute format('drop trigger %I on %s', _wanted.name, _wanted.on_table);
        end if;
        execute format(_wanted.definition, _wanted.name, _wanted.on_table);
    end loop;
end
$$;
comment on function internal.keep_triggers(text[], text[], text[]) is 'Makes triggers that are missing or differ.';
