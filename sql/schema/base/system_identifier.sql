-- internal.system_identifier()
-- The identity of this server; 0 if the server hides it.
create or replace function internal.system_identifier() returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select s.system_identifier from pg_control_system() as s);
exception when insufficient_privilege then
    return 0;
end
$$;
comment on function internal.system_identifier() is 'Identity of this server.';
