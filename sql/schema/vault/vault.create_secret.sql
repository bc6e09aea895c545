-- vault.create_secret(new_secret, new_name, new_description), vault.update_secret(secret_id, ...)
-- The same functions as in Supabase's vault.  A value that is written with them is plain until a worker with the key seals it.
do $do$
begin
    if not exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
                   where n.nspname = 'vault' and c.relname = 'secrets' and pg_get_userbyid(c.relowner) = 'queues_owner') then
        return; -- Supabase's vault is used.
    end if;
    create or replace function vault.create_secret(new_secret text, new_name text default null, new_description text default '')
        returns uuid
        language sql volatile security definer
        set search_path = pg_catalog, pg_temp
    as $$
        select internal.check_text('name', new_name, 256), internal.check_text('secret', new_secret, 131072),
               internal.check_text('description', new_description, 1024);
        select internal.audit('create_secret', new_name);
        insert into vault.secrets (name, description, secret) values (new_name, coalesce(new_description, ''), new_secret) returning id
    $$;
    comment on function vault.create_secret(text, text, text) is 'Adds a secret.';

    create or replace function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null,
            new_description text default null) returns void
        language plpgsql volatile security definer
        set search_path = pg_catalog, pg_temp
    as $$
    declare
        _old record;
    begin
        perform internal.check_text('name', new_name, 256), internal.check_text('secret', new_secret, 131072),
                internal.check_text('description', new_description, 1024);
        select s.name, s.secret into _old from vault.secrets as s where s.id = secret_id for update;
        if new_secret is null and new_name <> _old.name and _old.secret like 'reeve:v1:%' then
            raise exception using errcode = '22023',
                message = format('secret "%s" is sealed and opens under no other name', _old.name),
                hint = 'Give its value together with the new name.';
        end if;
        perform internal.audit('update_secret', coalesce(new_name, _old.name, secret_id::text));
        update vault.secrets as s
        set secret = coalesce(new_secret, s.secret), name = coalesce(new_name, s.name),
            description = coalesce(new_description, s.description), updated_at = clock_timestamp()
        where s.id = secret_id;
    end
    $$;
    comment on function vault.update_secret(uuid, text, text, text) is 'Changes a secret.';
    -- Granted here, and not with the other grants: Supabase's vault has its own grants.
    revoke all on function vault.create_secret(text, text, text), vault.update_secret(uuid, text, text, text) from public;
    grant usage on schema vault to queues_admin;
    grant execute on function vault.create_secret(text, text, text), vault.update_secret(uuid, text, text, text) to queues_admin;
end
$do$;
