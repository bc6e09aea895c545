-- internal.require_own_run(_payload)
-- For our own task functions and handlers, which the worker's role may execute: refuses a call (42501) outside the run of a task
-- with this payload.  A role that may read payloads may call them by hand.
create or replace function internal.require_own_run(_payload jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run constant record := internal.current_run();
    _own jsonb;
begin
    if _run.task_id is not null then
        _own := coalesce((select r.payload from queues.running as r where r.task_id = _run.task_id),
                         (select t.payload from queues.task as t where t.task_id = _run.task_id));
        if _own = _payload or _own = _payload->'original_payload' then
            return;
        end if;
    end if;
    if not internal.is_operator() then
        raise exception using errcode = '42501', message = 'only the run of its task may call this function',
            hint = 'Enqueue a task that names it.';
    end if;
end
$$;
comment on function internal.require_own_run(jsonb) is 'Refuses a call from outside the run of its task.';
