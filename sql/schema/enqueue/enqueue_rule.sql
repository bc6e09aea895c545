-- internal.enqueue_rule(_task_type, _queue)
-- The rules for a task of this type in this queue.  An unknown type or queue is refused.
create or replace function internal.enqueue_rule(_task_type text, _queue text) returns internal.task_rule
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule internal.task_rule;
begin
    select t.adapter, t.type_id, coalesce(_queue, t.default_queue), q.queue_id,
           t.is_reserved,
           (select c.value::integer from internal.config as c where c.key = 'max_payload_bytes'),
           (select c.value <> '"off"' from internal.config as c where c.key = 'notify'), t.kind
    into _rule
    from queues.registered_task_type as t
    left join queues.queue as q on q.queue = coalesce(_queue, t.default_queue)
    where t.task_type = _task_type;
    if not found then
        if _task_type is null then
            raise exception using errcode = '22004', message = 'task type must not be null';
        end if;
        raise exception using errcode = '23514',
            message = format('task type "%s" is not registered', _task_type),
            hint = format('select queues.register_task_type(%L, ''http'');', _task_type);
    end if;
    if _rule.queue_id is null then
        raise exception using errcode = '23503',
            message = format('queue "%s" does not exist', left(_rule.queue, 128)),
            hint = format('select queues.create_queue(%L);', left(_rule.queue, 128));
    end if;
    return _rule;
end
$$;
comment on function internal.enqueue_rule(text, text) is 'Rules for a task of a type in a queue.';
