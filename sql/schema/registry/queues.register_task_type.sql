-- queues.register_task_type(...)
-- Adds or changes a task type.  A new outside service needs no C: use adapter http, and a before handler that builds the request.
-- Work in any language: use adapter program, and `reeve run`.
create or replace function queues.register_task_type(_task_type text, _adapter text, _default_queue text default 'default',
        _before_required boolean default false, _timeout interval default null, _max_crashes smallint default 5,
        _on_in_doubt text default 'retry', _description text default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _way internal.adapter;
begin
    if _task_type is null or _adapter is null then
        raise exception using errcode = '22004', message = 'task type and adapter must not be null';
    end if;
    if _task_type !~ '^[a-z][a-z0-9_]{0,62}$' then
        raise exception using errcode = '22023', message = format('task type "%s" is not of the form a-z, 0-9 and _, at most 63', left(_task_type, 128));
    end if;
    select a.* into _way from internal.adapter as a where a.adapter = _adapter
      and (a.is_open or exists (select 1 from queues.registered_task_type as t where t.task_type = _task_type and t.adapter = _adapter));
    if _way.kind is null then
        raise exception using errcode = '22023', message = format('unknown adapter "%s"', left(_adapter, 64)),
            hint = (select format('Adapters are %s.', string_agg(a.adapter, ', ' order by a.adapter)) from internal.adapter as a where a.is_open);
    end if;
    if _max_crashes not between 1 and 1000 or _on_in_doubt not in ('retry', 'fail') or _timeout <= interval '0' then
        raise exception using errcode = '22023', message = 'max_crashes, on_in_doubt or timeout is out of range';
    end if;
    perform internal.check_text('description', _description, 1024);
    perform internal.require_queue(_default_queue);
    if exists (select 1 from queues.registered_task_type as t where t.task_type = _task_type and t.adapter <> _adapter) then
        raise exception using errcode = '22023', message = format('adapter of task type "%s" cannot be changed', _task_type);
    end if;
    -- The update comes first: an insert uses up one of 32767 numbers even if it finds a conflict.
    update queues.registered_task_type as t
    set default_queue = _default_queue, before_required = coalesce(_before_required, false), timeout = _timeout,
        max_crashes = coalesce(_max_crashes, 5::smallint), on_in_doubt = coalesce(_on_in_doubt, 'retry'),
        description = _description
    where t.task_type = _task_type;
    if not found then
        insert into queues.registered_task_type (task_type, adapter, default_queue, before_required, timeout, max_crashes,
            on_in_doubt, description, kind, sends_payload, is_interrupted)
        values (_task_type, _adapter, _default_queue, coalesce(_before_required, false), _timeout,
            coalesce(_max_crashes, 5::smallint), coalesce(_on_in_doubt, 'retry'), _description, _way.kind, _way.sends_payload,
            _way.is_interrupted)
        on conflict (task_type) do update
        set default_queue = excluded.default_queue, before_required = excluded.before_required, timeout = excluded.timeout,
            max_crashes = excluded.max_crashes, on_in_doubt = excluded.on_in_doubt, description = excluded.description;
    end if;
    perform internal.audit('register_task_type', _task_type);
    perform pg_notify('worker_queue_change', _default_queue);
end
$$;
comment on function queues.register_task_type(text, text, text, boolean, interval, smallint, text, text) is
    'Adds or changes a task type.';
