-- internal.count_ended_tasks(_task_ids)
-- The number of these tasks that have ended or were removed.  It is for facts functions: an attempt without an outcome whose task
-- has ended is lost.
create or replace function internal.count_ended_tasks(_task_ids bigint[]) returns integer
    language plpgsql stable
    set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
begin
    return (select count(*) from unnest(_task_ids) as i(task_id)
            where (select c.task_id from queues.task_completed as c where c.task_id = i.task_id) is not null
               or (select t.task_id from queues.task as t where t.task_id = i.task_id) is null);
end
$$;
comment on function internal.count_ended_tasks(bigint[]) is 'Number of these tasks that have ended or were removed.';
