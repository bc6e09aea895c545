-- internal.audit(_action, _object, _detail)
-- Records an act of a person: the login, or who stands behind the login of the dashboard.
create or replace function internal.audit(_action text, _object text, _detail jsonb default null) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    insert into queues.audit (acted_at, actor, action, object, detail, via)
    select queues.clock(), a.actor, _action, _object, _detail, case when a.actor <> session_user then session_user end
    from (select internal.actor() as actor) as a
$$;
comment on function internal.audit(text, text, jsonb) is 'Records an act of a person.';
