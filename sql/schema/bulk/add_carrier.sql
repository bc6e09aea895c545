-- internal.add_carrier(_act_id, _role, _actor)
-- Enqueues the task that does the next batch of an act, with the rights of this role and in the name of _actor, and returns it.  It
-- waits in queue maintenance, which is seldom paused.
create or replace function internal.add_carrier(_act_id bigint, _role name, _actor text) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task_id bigint;
begin
    _task_id := queues.enqueue('db_function', jsonb_build_object('db_function', 'queues.carry_bulk', 'act_id', _act_id), _queue => 'maintenance');
    insert into internal.bulk_carrier as c (act_id, task_id, role, actor, started_at) values (_act_id, _task_id, _role, _actor, clock_timestamp())
    on conflict (act_id) do update set task_id = excluded.task_id, role = excluded.role, actor = excluded.actor;
    return _task_id;
end
$$;
comment on function internal.add_carrier(bigint, name, text) is 'Enqueues the task that does the next batch of an act.';
