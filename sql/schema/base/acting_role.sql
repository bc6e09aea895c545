-- internal.acting_role()
-- The role that asks, also inside a definer function: the role of SET ROLE, otherwise the login.
create or replace function internal.acting_role() returns name
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when current_setting('role') = 'none' then session_user else current_setting('role')::name end;
end
$$;
comment on function internal.acting_role() is 'The role that asks.';
