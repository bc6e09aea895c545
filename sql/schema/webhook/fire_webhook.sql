-- internal.fire_webhook()
-- Trigger function of webhooks made by pgqueue.create_webhook; its argument is the webhook's id.  It has the text of
-- pgqueue.trigger_webhook, and one constant differs.  Rows of a trigger are visible to its own function only, so the two cannot share
-- a function; and users may create triggers with the other one, but not with this one: an id is no permission.
do $do$
declare
    _source constant text := (select p.prosrc from pg_proc as p where p.oid = 'pgqueue.trigger_webhook()'::regprocedure);
    _mark constant text := '_is_registered constant boolean := ';
begin
    if strpos(_source, _mark || 'false;') = 0 then
        raise exception 'pgqueue.trigger_webhook has no constant _is_registered';
    end if;
    execute format('create or replace function internal.fire_webhook() returns trigger
        language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as %L',
        replace(_source, _mark || 'false;', _mark || 'true;'));
end
$do$;
comment on function internal.fire_webhook() is 'Sends changed rows to the URL of a webhook.';
