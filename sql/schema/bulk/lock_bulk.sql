-- internal.lock_bulk(_act_id)
-- Locks an act and returns it: one session at a time works at an act.  Refuses an unknown or stopped one.  The caller looks at the
-- facts of the act in a later statement, so it sees whatever was committed before it got the lock.
create or replace function internal.lock_bulk(_act_id bigint) returns queues.bulk_act
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _act queues.bulk_act;
begin
    perform internal.require_read_committed('bulk act');
    select a.* into _act from queues.bulk_act as a where a.act_id = _act_id for no key update;
    if not found then
        raise exception using errcode = 'P0002', message = format('act %s does not exist', coalesce(_act_id::text, 'null'));
    end if;
    if exists (select 1 from queues.bulk_stopped as s where s.act_id = _act_id) then
        raise exception using errcode = '55000', message = format('act %s was stopped', _act_id), hint = 'Make another act for what is left.';
    end if;
    return _act;
end
$$;
comment on function internal.lock_bulk(bigint) is 'Locks an act that was not stopped.';
