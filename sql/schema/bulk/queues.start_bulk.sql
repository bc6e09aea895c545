-- queues.start_bulk(_act_id)
-- Lets a worker carry an act out, batch by batch, and returns the task that does the next batch; null: nothing is left.  The rights of
-- the role that started it count, and are asked again for each batch.  If the act is being carried out already, the task that does it
-- is returned.  queues.stop_bulk stops it.
create or replace function queues.start_bulk(_act_id bigint) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act constant queues.bulk_act := internal.lock_bulk(_act_id);
    _task_id bigint;
begin
    perform internal.begin_bulk(_act);
    select c.task_id into _task_id from internal.bulk_carrier as c
    where c.act_id = _act_id and not exists (select 1 from queues.task_completed as e where e.task_id = c.task_id);
    if found then
        return _task_id;
    end if;
    if not exists (select 1 from queues.bulk_target as t where t.act_id = _act_id
                   and t.target_id > (select coalesce(max(d.target_id), 0) from queues.bulk_done as d where d.act_id = _act_id)) then
        return null;
    end if;
    return internal.add_carrier(_act_id, internal.acting_role(), internal.actor());
end
$$;
comment on function queues.start_bulk(bigint) is 'Lets a worker carry an act out.';
