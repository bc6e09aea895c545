-- internal.audit(_action, _object, _detail)
-- Records an act of a person, under the login of that person.
create or replace function internal.audit(_action text, _object text, _detail jsonb default null) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    insert into queues.audit (acted_at, actor, action, object, detail)
    values (queues.clock(), session_user, _action, _object, _detail)
$$;
comment on function internal.audit(text, text, jsonb) is 'Records an act of a person.';
