-- internal.require_own_run(_payload)
-- For task functions and handlers of our own, which the worker's role may execute: refuses a call (42501) that is not made by
-- the run of a task with this payload.  Whoever may read payloads may call them by hand.
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
        raise exception using errcode = '42501', message = 'this function is called by the run of its task only',
            hint = 'Enqueue a task that names it.';
    end if;
end
$$;
comment on function internal.require_own_run(jsonb) is 'Refuses a call that no run of a task makes.';
