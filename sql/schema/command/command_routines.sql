-- internal.command_routines()
-- The handlers and hooks of all commands that still exist, for functions that grant rights on them.
create or replace function internal.command_routines() returns setof oid
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _name text;
begin
    for _name in
        select distinct r.name from worker.command_registry as c
        cross join lateral (values (c.handler_procedure), (c.before_procedure), (c.after_procedure)) as r(name)
        where r.name is not null
    loop
        begin
            return next internal.find_routine(_name);
        exception when undefined_function or ambiguous_function or insufficient_privilege then
            null; -- The tasks of this command will fail with that error.
        end;
    end loop;
end
$$;
comment on function internal.command_routines() is 'Handlers and hooks of all commands.';
