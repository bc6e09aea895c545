-- internal.remove_webhook(_name)
-- Second half of pgqueue.drop_webhook: removes the row and its secrets.
create or replace function internal.remove_webhook(_name text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    delete from pgqueue.webhook as w where w.name = _name returning w.webhook_id into _id;
    delete from pgqueue.webhook_secret as s where s.webhook_id = _id;
    perform internal.forget_change(c.change_id) from pgqueue.webhook_change as c where c.webhook_id = _id;
    perform internal.audit('drop_webhook', _name);
end
$$;
comment on function internal.remove_webhook(text) is 'Removes a webhook; called by pgqueue.drop_webhook.';
