-- vault.decrypted_secrets
-- The same view as in Supabase's vault.  Only the program can open a sealed value; it is null here.
do $do$
begin
    if not exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                   where n.nspname = 'vault' and c.relname = 'secrets' and pg_get_userbyid(c.relowner) = 'queues_owner') then
        return; -- Supabase's vault is used.
    end if;
    perform internal.keep_view('vault.decrypted_secrets', $view$
    select s.id, s.name, s.description, s.secret, case when s.secret not like 'reeve:v1:%' then s.secret end as decrypted_secret,
           s.created_at, s.updated_at
    from vault.secrets as s
    $view$);
    comment on view vault.decrypted_secrets is 'Named secrets; decrypted_secret is null if only the program can open it.';
end
$do$;
