-- internal.hold_trees(_task_ids)
-- Locks the rows in worker.task_parent of these tasks, of their open descendants and of their parents: none of them can end, nor get
-- another child, before this transaction, and an end that came first is visible to the next statement.
-- Lock order: children have greater ids than their parents, and the greatest id comes first, as in internal.close_parents.  Locks of a
-- single task (internal.retry_tasks, queues.cancel_task) come after these.  So a session that goes down the tree takes all locks here,
-- before its first step.
create or replace function internal.hold_trees(_task_ids bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _level bigint[] := array(select p.task_id from worker.task_parent as p where p.task_id = any(_task_ids));
    _tree bigint[] := _level || array(select t.parent_id from queues.task as t where t.task_id = any(_task_ids) and t.parent_id is not null);
begin
    while cardinality(_level) > 0 loop
        _level := array(
            select p.task_id from unnest(_level) as l(task_id)
            cross join lateral (select r.task_id from queues.ready as r where r.parent_id = l.task_id
                                union all
                                select r.task_id from queues.running as r where r.parent_id = l.task_id offset 0) as c
            cross join lateral (select x.task_id from worker.task_parent as x where x.task_id = c.task_id offset 0) as p);
        _tree := _tree || _level;
    end loop;
    if cardinality(_tree) > 0 then
        perform 1 from worker.task_parent as p where p.task_id = any(_tree) order by p.task_id desc for no key update;
    end if;
end
$$;
comment on function internal.hold_trees(bigint[]) is 'Keeps tasks, their descendants and their parents from ending before this transaction.';
