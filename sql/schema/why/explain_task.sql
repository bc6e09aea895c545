-- internal.explain_task(_task_id)
-- Finds the state of a task and explains it.  A task that moves between our statements is looked for again.
create or replace function internal.explain_task(_task_id bigint) returns queues.explanation
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _subject constant text := 'task ' || coalesce(_task_id::text, 'null');
    _end queues.task_completed;
    _lease queues.running;
    _key record;
    _row queues.ready;
    _locker integer;
begin
    for _look in 1 .. 10 loop
        select c.* into _end from queues.task_completed as c where c.task_id = _task_id;
        if found then
            return internal.explain_end(_end);
        end if;
        select r.* into _lease from queues.running as r where r.task_id = _task_id;
        if found then
            return internal.explain_lease(_lease);
        end if;
        select * into _key from internal.ready_key(_task_id);
        select r.* into _row from queues.ready as r
        where r.queue_id = _key.queue_id and r.priority = _key.priority and r.available_at = _key.available_at and r.task_id = _task_id;
        if found then
            select internal.row_locker(r.xmax) into _locker from queues.ready as r
            where r.queue_id = _key.queue_id and r.priority = _key.priority and r.available_at = _key.available_at and r.task_id = _task_id;
            return internal.explain_wait(_row, _locker);
        end if;
        if not exists (select 1 from queues.task as t where t.task_id = _task_id) then
            return internal.explained(_subject, 'not_found', format('There is no task %s: it never existed, or retention has removed it.',
                coalesce(_task_id::text, 'null')), (select max(p.pruned_at) from queues.pruned as p where _task_id between p.from_task_id and p.to_task_id));
        end if;
    end loop;
    return internal.explained(_subject, 'unknown', format('I don''t know: task %s is neither waiting nor running nor completed.', _task_id), null, null, null,
        jsonb_build_object('hint', 'reeve doctor'));
end
$$;
comment on function internal.explain_task(bigint) is 'Finds the state of a task and explains it.';
