-- internal.act_as(_role, _actor), internal.end_acting(), internal.acting_role(), internal.is_firing()
-- The role that asks, also inside a definer function: the role of SET ROLE, otherwise the login.  While the work of a schedule is
-- enqueued, the owner of the schedule asks; while a worker carries an act out, the role that started it.  A setting names the owner, and anybody can set it.  So it counts only if this
-- transaction has a row for that owner (internal.acting), which no other role can write.  act_as with null ends the turn of the owner;
-- end_acting also removes the rows, and every function that calls act_as calls it before it returns.
create or replace function internal.act_as(_role name, _actor text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _role is not null then
        insert into internal.acting (xact, role, actor) values (pg_current_xact_id(), _role, _actor) on conflict (xact, role) do nothing;
    end if;
    perform set_config('reeve.acting', coalesce(_role, ''), true);
end
$$;
comment on function internal.act_as(name, text) is 'Lets the rights of a role count in this transaction; null: no longer.';

create or replace function internal.end_acting() returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    -- Without an id the transaction has written nothing, and needs no id for this.
    if pg_current_xact_id_if_assigned() is not null then
        perform set_config('reeve.acting', '', true);
        delete from internal.acting where xact = pg_current_xact_id();
    end if;
end
$$;
comment on function internal.end_acting() is 'Lets no other role act in this transaction any more.';

create or replace function internal.may_act_as(_role name) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from internal.acting as a where a.xact = pg_current_xact_id_if_assigned() and a.role = _role);
end
$$;
comment on function internal.may_act_as(name) is 'Whether this transaction fires a schedule of that owner.';

create or replace function internal.acting_role() returns name
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _owner constant text := current_setting('reeve.acting', true);
begin
    if _owner <> '' then
        if internal.may_act_as(_owner::name) then
            return _owner;
        end if;
    end if;
    return case when current_setting('role') = 'none' then session_user else current_setting('role')::name end;
end
$$;
comment on function internal.acting_role() is 'The role that asks.';

create or replace function internal.is_firing() returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return coalesce(current_setting('reeve.acting', true), '') <> '' and internal.may_act_as(current_setting('reeve.acting')::name);
end
$$;
comment on function internal.is_firing() is 'Whether a schedule enqueues its work now.';
