-- internal.unsealed_names()
-- Secrets of our own vault that are not sealed.  Supabase's vault seals by itself, so it has none.
create or replace function internal.unsealed_names() returns table (name text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname = 'vault' and c.relname = 'secrets' and pg_get_userbyid(c.relowner) = 'queues_owner') then
        return query select s.name from vault.secrets as s where s.secret not like 'reeve:v1:%';
    end if;
end
$$;
comment on function internal.unsealed_names() is 'Secrets that are not sealed.';
