-- pgqueue.drop_webhook(_name)
-- Takes a webhook and its triggers away.  Security invoker: the caller must own the table.
create or replace function pgqueue.drop_webhook(_name text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
    _trigger record;
begin
    select w.webhook_id into _id from pgqueue.webhooks as w where w.name = _name;
    if not found then
        raise exception using errcode = 'P0002', message = format('webhook "%s" does not exist', coalesce(left(_name, 128), 'null'));
    end if;
    for _trigger in
        select t.tgname, t.tgrelid::regclass as relation from pg_trigger as t join pg_proc as p on p.oid = t.tgfoid
        join pg_namespace as n on n.oid = p.pronamespace
        where n.nspname = 'internal' and p.proname = 'fire_webhook' and t.tgname like format('reeve\_webhook\_%s\_%%', _id)
          and t.tgparentid = 0
    loop
        execute format('drop trigger %I on %s', _trigger.tgname, _trigger.relation);
    end loop;
    perform internal.remove_webhook(_name);
end
$$;
comment on function pgqueue.drop_webhook(text) is 'Removes a webhook.';
