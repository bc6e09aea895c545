-- internal.check_webhook_trigger(_when, _level, _op, _relid, _name)
-- Refuses triggers that a webhook cannot be.
create or replace function internal.check_webhook_trigger(_when text, _level text, _op text, _relid oid, _name name) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _when <> 'AFTER' or _op = 'TRUNCATE' then
        raise exception using errcode = '0A000', message = format('a webhook cannot be a trigger %s %s', lower(_when), lower(_op)),
            hint = 'Use after insert, after update or after delete.';
    end if;
    if _level = 'STATEMENT' and not exists (
            select 1 from pg_trigger as t where t.tgrelid = _relid and t.tgname = _name
            and (_op = 'DELETE' or t.tgnewtable = 'new_rows') and (_op = 'INSERT' or t.tgoldtable = 'old_rows')) then
        raise exception using errcode = '0A000', message = 'a webhook for each statement needs transition tables',
            hint = 'referencing old table as old_rows new table as new_rows';
    end if;
end
$$;
comment on function internal.check_webhook_trigger(text, text, text, oid, name) is 'Refuses triggers that a webhook cannot be.';
