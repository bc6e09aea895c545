-- worker.register_command(p_command, p_handler_procedure, p_queue, ...)
-- Adds a command or replaces its registration.  The checks are those of the table's trigger.
-- Security invoker: the caller needs the right to write the registry, and grants are made
-- with the caller's own rights.
create or replace function worker.register_command(p_command text, p_handler_procedure text, p_queue text,
        p_before_procedure text default null, p_after_procedure text default null, p_description text default null,
        p_dedup_keys text[] default null, p_dedup_policy text default null, p_merge_rules jsonb default null,
        p_merge_function text default null, p_timeout interval default null, p_max_crashes integer default null,
        p_enqueuers name[] default null, p_status_type text default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if p_command is null then
        raise exception using errcode = '22004', message = 'command must not be null';
    end if;
    if p_max_crashes not between 1 and 1000 then
        raise exception using errcode = '22023', message = format('max_crashes %s is not between 1 and 1000', p_max_crashes);
    end if;
    update worker.command_registry as c
    set handler_procedure = p_handler_procedure, before_procedure = p_before_procedure, after_procedure = p_after_procedure,
        description = p_description, queue = p_queue, dedup_keys = p_dedup_keys,
        dedup_policy = coalesce(p_dedup_policy, 'merge'), merge_rules = p_merge_rules, merge_function = p_merge_function,
        timeout = p_timeout, max_crashes = p_max_crashes, enqueuers = p_enqueuers, status_type = p_status_type
    where c.command = p_command;
    if not found then
        insert into worker.command_registry (command, handler_procedure, before_procedure, after_procedure, description, queue,
            dedup_keys, dedup_policy, merge_rules, merge_function, timeout, max_crashes, enqueuers, status_type)
        values (p_command, p_handler_procedure, p_before_procedure, p_after_procedure, p_description, p_queue,
            p_dedup_keys, coalesce(p_dedup_policy, 'merge'), p_merge_rules, p_merge_function, p_timeout, p_max_crashes,
            p_enqueuers, p_status_type);
    end if;
end
$$;
comment on function worker.register_command(text, text, text, text, text, text, text[], text, jsonb, text, interval, integer, name[], text) is
    'Adds a command or replaces its registration.';
