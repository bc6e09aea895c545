-- internal.tree_qualifies(_task_id, _done_before, _failed_before)
-- May this task and its whole tree be pruned?
create or replace function internal.tree_qualifies(_task_id bigint, _done_before timestamptz,
        _failed_before timestamptz) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    with recursive up as (
        select t.task_id, t.parent_id from queues.task as t where t.task_id = _task_id
        union all
        select t.task_id, t.parent_id from up join queues.task as t on t.task_id = up.parent_id
    ), tree as (
        select up.task_id from up
        where up.parent_id is null or (select p.task_id from queues.task as p where p.task_id = up.parent_id limit 1) is null
        union all
        select t.task_id from tree join queues.task as t on t.parent_id = tree.task_id
    )
    select not exists (
        select 1 from tree
        left join queues.task_completed as c on c.task_id = tree.task_id
        where c.task_id is null or c.completed_at >= case when c.outcome in ('succeeded', 'non_success', 'superseded')
                                                          then _done_before else _failed_before end)
$$;
comment on function internal.tree_qualifies(bigint, timestamptz, timestamptz) is 'Whether a tree of tasks is old enough to be pruned.';
