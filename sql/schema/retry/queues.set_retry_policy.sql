-- queues.set_retry_policy(_scope, _name, _max_attempts, _backoff, _final_statuses)
-- Sets the default policy of a task type, a function or a command (_scope: type, function, command), or removes it if all three are null.
-- Attempts and waits hold for every task that fails for the first time from now on, unless the task names a policy itself; a chain that
-- goes on keeps its own.  Final statuses hold for every attempt that fails from now on.
create or replace function queues.set_retry_policy(_scope text, _name text, _max_attempts integer default null,
        _backoff jsonb default null, _final_statuses text[] default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _checked constant jsonb := internal.checked_backoff(_max_attempts, _backoff);
    _is_reserved boolean;
begin
    if _name is null then
        raise exception using errcode = '22004', message = 'name must not be null';
    end if;
    if _scope = 'type' then
        select t.is_reserved and t.variant_key is null into _is_reserved from queues.registered_task_type as t where t.task_type = _name;
        if not found then
            raise exception using errcode = '42704', message = format('task type "%s" is not registered', left(_name, 128));
        elsif _is_reserved then
            raise exception using errcode = '0A000', message = format('task type "%s" has no policy of retries', _name),
                hint = 'HTTP jobs are retried by rules of their own.';
        end if;
    elsif _scope = 'function' then
        if not exists (select 1 from internal.allowed_function as f where f.function_name = _name and f.kind <> 'supervisor') then
            raise exception using errcode = '42704', message = format('"%s" is not a registered function of a task', left(_name, 128)),
                hint = 'Register it with internal.allow_function. A supervisor is never retried by a policy.';
        end if;
    elsif _scope = 'command' then
        if not exists (select 1 from internal.task_variant as v join queues.registered_task_type as t on t.type_id = v.type_id
                       where t.variant_key = _scope and v.variant = _name) then
            raise exception using errcode = '42704', message = format('command "%s" is not registered', left(_name, 128)),
                hint = 'Register it with worker.register_command.';
        end if;
    else
        raise exception using errcode = '22023', message = format('scope "%s" is not one of type, function, command', coalesce(left(_scope, 64), 'null'));
    end if;
    if cardinality(_final_statuses) > 100 or array_position(_final_statuses, null) is not null then
        raise exception using errcode = '22023', message = 'final_statuses has more than 100 elements or a null';
    end if;
    perform internal.check_text('final_statuses', array_to_string(_final_statuses, ','), 8192);
    if _max_attempts is null and _backoff is null and _final_statuses is null then
        delete from queues.retry_policy as p where p.scope = _scope and p.name = _name;
    else
        insert into queues.retry_policy (scope, name, max_attempts, backoff, final_statuses)
        values (_scope, _name, coalesce(_max_attempts, case when jsonb_typeof(_checked) = 'array' then jsonb_array_length(_checked) + 1 end),
                _checked, _final_statuses)
        on conflict (scope, name) do update
        set max_attempts = excluded.max_attempts, backoff = excluded.backoff, final_statuses = excluded.final_statuses;
    end if;
    perform internal.audit('set_retry_policy', _scope || ' ' || _name, jsonb_strip_nulls(jsonb_build_object(
        'max_attempts', _max_attempts, 'backoff', _checked, 'final_statuses', to_jsonb(_final_statuses))));
end
$$;
comment on function queues.set_retry_policy(text, text, integer, jsonb, text[]) is 'Sets or removes the default policy of a task type, function or command.';
