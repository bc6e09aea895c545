-- internal.vault_values(_names)
-- Values of named secrets from either vault: {"name": "value"}, or {"name": {"sealed": "..."}} if only the program can open the
-- value.  A missing secret is left out.  A vault that cannot be read raises an error.
create or replace function internal.vault_values(_names text[]) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _values jsonb;
begin
    if to_regclass('vault.decrypted_secrets') is null then
        return '{}'::jsonb;
    end if;
    select jsonb_object_agg(s.name, coalesce(to_jsonb(s.decrypted_secret), jsonb_build_object('sealed', s.secret))) into _values
    from vault.decrypted_secrets as s where s.name = any(_names);
    return coalesce(_values, '{}');
end
$$;
comment on function internal.vault_values(text[]) is 'Named secrets from the vault.';
