-- internal.call_secrets(_names, _recorded)
-- The secrets that the program may use for a call: {"named": {"name": value}}.  A name of _recorded that the vault does not have is
-- null there: then the program may look in its own environment.  For any other name it may not.  {"vault_problem": text}: the
-- reason why the vault could not be read.
create or replace function internal.call_secrets(_names text[], _recorded text[]) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _found jsonb := '{}'::jsonb;
    _problem text;
begin
    begin
        _found := internal.vault_values(_names);
    exception when others then
        if sqlstate like '40%' then
            raise;
        end if;
        _problem := 'the vault cannot be read: ' || left(sqlerrm, 256);
    end;
    return jsonb_build_object('named',
               coalesce((select jsonb_object_agg(n, null) from unnest(_recorded) as n), '{}') || _found)
           || case when _problem is not null then jsonb_build_object('vault_problem', _problem) else '{}' end;
end
$$;
comment on function internal.call_secrets(text[], text[]) is 'Secrets that a call may use.';
