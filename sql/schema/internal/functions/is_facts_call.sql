-- internal.is_facts_call(_facts_call)
-- Is this the text of a call that the registry has made for a facts function?
create or replace function internal.is_facts_call(_facts_call text) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from internal.allowed_function as f where f.facts_function = _facts_call and f.enabled);
end
$$;
comment on function internal.is_facts_call(text) is 'Whether a text is a registered call of a facts function.';
