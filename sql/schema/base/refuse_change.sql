-- internal.refuse_change()
-- Statement trigger of every fact table: facts are inserted and never changed.  Only retention removes them, as the owner, in a
-- transaction that it has marked (internal.pruning).
create or replace function internal.refuse_change() returns trigger
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'DELETE' and current_user = 'queues_owner'
       and exists (select 1 from internal.pruning as p where p.xact = pg_current_xact_id()) then
        return null;
    end if;
    raise exception using errcode = '42501', message = 'facts are append-only',
        detail = format('%s on %I.%I was refused.', tg_op, tg_table_schema, tg_table_name),
        hint = 'Old facts are removed by queues.prune.';
end
$$;
comment on function internal.refuse_change() is 'Refuses UPDATE, DELETE and TRUNCATE of facts.';
