-- worker.enqueue_function(p_command)
-- The statement that creates worker.enqueue_<command> for a registered command, for applications that want one function per
-- command.  In psql: select worker.enqueue_function('x') \gexec
create or replace function worker.enqueue_function(p_command text) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _command text;
begin
    select c.command into _command from worker.command_registry as c where c.command = p_command;
    if not found then
        raise exception using errcode = '23503', message = format('command "%s" is not registered', left(coalesce(p_command, 'null'), 128));
    end if;
    return format($f$create or replace function worker.%1$I(p_payload jsonb default '{}', p_scheduled_at timestamptz default null,
        p_priority bigint default null, p_max_attempts integer default null, p_backoff jsonb default null) returns bigint
    language sql volatile set search_path = pg_catalog, pg_temp
as $body$ select worker.enqueue(%2$L, p_payload, p_scheduled_at, p_priority, p_max_attempts, p_backoff) $body$
$f$, left('enqueue_' || _command, 63), _command);
end
$$;
comment on function worker.enqueue_function(text) is 'The statement that creates an enqueue function for a command.';
