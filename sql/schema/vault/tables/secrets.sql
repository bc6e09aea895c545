-- Named secrets, for databases without Supabase's vault, under the same names.  The program seals the values with a key that is not
-- in the database.
do $do$
begin
    if exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname = 'vault' and c.relname in ('secrets', 'decrypted_secrets')) then
        return; -- Supabase's vault is used.
    end if;
    create table vault.secrets (
        id           uuid not null default gen_random_uuid(),
        name         text,
        description  text not null default '',
        secret       text not null,
        created_at   timestamptz not null default clock_timestamp(),
        updated_at   timestamptz not null default clock_timestamp(),
        constraint secrets_pkey primary key (id),
        constraint secrets_name_key unique (name)
    );
    create index secrets_unsealed_idx on vault.secrets (id) where secret not like 'reeve:v1:%';
    comment on table vault.secrets is 'Named secrets. No role but the owner reads them.';
    comment on column vault.secrets.secret is 'Sealed (reeve:v1:...); plain only until a worker with the key has sealed it.';
end
$do$;
