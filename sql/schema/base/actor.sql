-- internal.actor()
-- Who is on record for a change: the owner of a schedule that fires, or whoever started an act that is carried out in the background;
-- otherwise the login, or the person that the dashboard names, if the login is that of the dashboard.  Anybody can make the setting,
-- so it counts only for members of queues_dashboard, and membership is that of the login, which no session can change.
create or replace function internal.actor() returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _person constant text := current_setting('reeve.person', true);
begin
    if internal.is_firing() then
        return coalesce((select a.actor from internal.acting as a
                         where a.xact = pg_current_xact_id_if_assigned() and a.role = internal.acting_role()), internal.acting_role());
    end if;
    if _person <> '' and octet_length(_person) <= 255 and pg_has_role(session_user, 'queues_dashboard', 'member') then
        return _person;
    end if;
    return session_user;
end
$$;
comment on function internal.actor() is 'Who is on record for a change.';
