-- worker.command_task_cleanup(payload)
-- Handler of command task_cleanup: removes whole trees of commands that were completed more than the given days ago.  The program's
-- own retention does not depend on it.
create or replace procedure worker.command_task_cleanup(payload jsonb, inout p_info jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _removed bigint := 0;
    _n bigint;
begin
    perform internal.require_own_run(payload);
    for _step in 1 .. 100 loop
        _n := internal.prune_tasks(_now - make_interval(days => coalesce((payload->>'completed_days')::integer, 7)),
                                   _now - make_interval(days => coalesce((payload->>'failed_days')::integer, 30)), 10000, true);
        _removed := _removed + _n;
        exit when _n = 0;
    end loop;
    p_info := jsonb_build_object('removed', _removed);
end
$$;
comment on procedure worker.command_task_cleanup(jsonb, jsonb) is 'Removes old commands; handler of command task_cleanup.';
