-- queues.stop_bulk(_act_id)
-- Stops an act for good: what is done stays done, and the ids that are left keep their state.  False: the act had ended already.  It
-- waits for a batch that is under way.
create or replace function queues.stop_bulk(_act_id bigint) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act constant queues.bulk_act := internal.lock_bulk(_act_id);
    _left constant bigint := (select count(*) from queues.bulk_target as t where t.act_id = _act_id)
                             - (select count(*) from queues.bulk_done as d where d.act_id = _act_id);
begin
    if _left = 0 and exists (select 1 from queues.bulk_started as s where s.act_id = _act_id) then
        return false;
    end if;
    insert into queues.bulk_stopped (act_id, stopped_at, stopped_by) values (_act_id, clock_timestamp(), internal.actor());
    perform internal.audit('stop_bulk', _act_id::text, jsonb_build_object('kind', _act.kind, 'left', _left));
    return true;
end
$$;
comment on function queues.stop_bulk(bigint) is 'Stops an act for good.';
