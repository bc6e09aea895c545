-- internal.keep_triggers(_tables, _names, _definitions)
-- Makes triggers that are missing or differ; one that is as it should be costs no lock on its table.
-- Called by  sql/triggers.sql
create or replace function internal.keep_triggers(_tables text[], _names text[], _definitions text[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _wanted record;
begin
    -- Who only reads does not mind a new trigger, but one that is replaced.
    perform internal.lock_relations(array_agg(w.on_table order by w.place),
        case when bool_or(t.tgname is not null) then 'access exclusive' else 'share row exclusive' end)
    from unnest(_tables, _names, _definitions) with ordinality as w(on_table, name, definition, place)
    left join pg_trigger as t on t.tgrelid = to_regclass(w.on_table) and t.tgname = w.name
    where not internal.has_trigger(w.on_table, w.name, w.definition);
    for _wanted in
        select w.on_table, w.name, w.definition
        from unnest(_tables, _names, _definitions) with ordinality as w(on_table, name, definition, place)
        where not internal.has_trigger(w.on_table, w.name, w.definition)
        order by w.place
    loop
        if exists (select 1 from pg_trigger as t where t.tgrelid = to_regclass(_wanted.on_table) and t.tgname = _wanted.name) then
            execute format('drop trigger %I on %s', _wanted.name, _wanted.on_table);
        end if;
        execute format(_wanted.definition, _wanted.name, _wanted.on_table);
    end loop;
end
$$;
comment on function internal.keep_triggers(text[], text[], text[]) is 'Makes triggers that are not there as they should be.';
