-- internal.check_enqueuer(_name, _enqueuers)
-- Refuses a session whose role (internal.acting_role) is not among the roles that may enqueue the function or command.  The worker's role and the owner
-- are always allowed: supervisors enqueue as them.
create or replace function internal.check_enqueuer(_name text, _enqueuers name[]) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _role constant name := internal.acting_role();
begin
    if _role in ('worker_service_user', 'queues_owner')
       or exists (select 1 from unnest(_enqueuers) as e(role)
                  join pg_roles as r on r.rolname = e.role
                  where pg_has_role(_role, r.oid, 'member')) then
        return;
    end if;
    raise exception using errcode = '42501',
        message = format('role "%s" may not enqueue "%s"', _role, _name),
        hint = format('It is reserved for: %s.', array_to_string(_enqueuers, ', '));
end
$$;
comment on function internal.check_enqueuer(text, name[]) is 'Refuses a role that may not enqueue a function.';
