-- internal.act_one_by_one(_act, _target_ids)
-- Carries an act out for these ids, in this order, each in a part of the transaction of its own, and records the result of each.
create or replace function internal.act_one_by_one(_act queues.bulk_act, _target_ids bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    if _act.kind = 'task_cancel' then
        perform internal.hold_trees(_target_ids); -- the rows of all trees come first, as in every cancel
    end if;
    foreach _id in array _target_ids loop
        insert into queues.bulk_done (act_id, target_id, done_at, result, new_task_id, message)
        select _act.act_id, _id, clock_timestamp(), r.result, r.new_task_id, r.message from internal.act_on_one(_act, _id) as r;
    end loop;
end
$$;
comment on function internal.act_one_by_one(queues.bulk_act, bigint[]) is 'Carries an act out for some ids, one by one.';
