-- internal.hold_parents(_task_ids)
-- Before these children get a next attempt: their parents cannot end before this transaction, and an end that came first is visible
-- to the next statement.  Greater ids are locked first, as everywhere.  The lock is the one that internal.close_parents takes, so
-- that two sessions never both have to strengthen theirs.
create or replace function internal.hold_parents(_task_ids bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from worker.task_parent as p
    where p.task_id = any(array(select t.parent_id from queues.task as t where t.task_id = any(_task_ids)))
    order by p.task_id desc for no key update;
end
$$;
comment on function internal.hold_parents(bigint[]) is 'Keeps the parents of these tasks open until the end of the transaction.';
