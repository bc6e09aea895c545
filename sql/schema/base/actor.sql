-- internal.actor()
-- Who is on record for a change: the owner of a schedule that fires, or the role that started an act which is carried out in the background; otherwise the login.
create or replace function internal.actor() returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when internal.is_firing() then internal.acting_role() else session_user end;
end
$$;
comment on function internal.actor() is 'Who is on record for a change.';
