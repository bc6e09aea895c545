-- worker.current_status()
-- The status for the first load of a front end, which listens afterwards: per queue and command, the number of tasks in each open
-- state and of failures in the last day; the trees that run or wait, with their progress; and the status types that are on.  It
-- reads the working set, and of the history only failures and open trees.
create or replace function worker.current_status() returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _show constant boolean := internal.is_operator();
    _queues jsonb;
    _commands jsonb;
    _trees jsonb;
    _status jsonb;
begin
    with n as materialized (
        select t.queue, t.command, t.state, count(*) as n from worker.tasks as t
        where t.state in ('pending', 'processing', 'waiting', 'interrupted')
           or t.state = 'failed' and t.completed_at > queues.clock() - interval '1 day'
        group by t.queue, t.command, t.state
    )
    select (select coalesce(jsonb_object_agg(q.queue, jsonb_build_object(
                       'paused_until', case when q.paused_until > queues.clock() then q.paused_until end,
                       'counts', coalesce((select jsonb_object_agg(x.state, x.n) from (
                           select n.state, sum(n.n) as n from n where n.queue = q.queue group by n.state) as x), '{}'))), '{}')
            from queues.queue as q),
           (select coalesce(jsonb_object_agg(c.command, jsonb_build_object(
                       'queue', c.queue,
                       'counts', coalesce((select jsonb_object_agg(x.state, x.n) from (
                           select n.state, sum(n.n) as n from n where n.command = c.command group by n.state) as x), '{}'))), '{}')
            from worker.command_registry as c)
    into _queues, _commands;
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'command', t.command, 'queue', t.queue, 'state', t.state,
               'started_at', t.process_start_at, 'info', case when _show then internal.tree_info(t.id) end,
               'children', (select jsonb_build_object('open', count(*) filter (where c.task_id is null),
                                'completed', count(*) filter (where c.outcome in ('succeeded', 'non_success', 'superseded')),
                                'failed', count(*) filter (where c.outcome not in ('succeeded', 'non_success', 'superseded')))
                            from queues.task as k left join queues.task_completed as c on c.task_id = k.task_id
                            where k.parent_id = t.id)) order by t.id), '[]') into _trees
    from worker.tasks as t
    where t.parent_id is null and t.state in ('processing', 'waiting', 'interrupted');
    select coalesce(jsonb_object_agg(s.status_type, s.is_on), '{}') into _status
    from (select c.status_type, bool_or(exists (select 1 from worker.tasks as t where t.command = c.command
                     and t.state in ('processing', 'waiting', 'interrupted'))) as is_on
          from worker.command_registry as c where c.status_type is not null group by c.status_type) as s;
    return jsonb_build_object('at', queues.clock(), 'queues', _queues, 'commands', _commands, 'trees', _trees, 'status', _status);
end
$$;
comment on function worker.current_status() is 'Status of all commands, for the first load of a front end.';
