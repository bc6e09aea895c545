-- internal.has_room(_queue_id, _parent_id, _phase, _lease_no, _only_mine)
-- May one more task of this queue start, for a run in the caller's transaction?  With _only_mine, only tasks of this transaction
-- count.
create or replace function internal.has_room(_queue_id integer, _parent_id bigint, _phase "char", _lease_no integer,
        _only_mine boolean)
    returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _queue queues.queue;
    _room record;
begin
    select q.* into _queue from queues.queue as q where q.queue_id = _queue_id;
    if _only_mine then
        -- One runs at a time, so only trees that wait for their children count.
        return _queue.top_level_limit is null or _parent_id is not null or _phase is not distinct from 'h'
            or (select count(*) from queues.ready as r
                where r.queue_id = _queue_id and r.lease_no > 0 and r.phase in ('h', 'w') and r.parent_id is null
                  and internal.is_ours(r.xmin)) < _queue.top_level_limit;
    end if;
    if _queue.max_running is null and _queue.top_level_limit is null then
        return true;
    end if;
    perform 1 from queues.queue as q where q.queue_id = _queue_id for no key update skip locked;
    if not found then
        return false;
    end if;
    _room := internal.queue_room(_queue_id, _queue.max_running, _queue.top_level_limit, 1);
    return _room.room > 0
        and (_room.top_room is null or _parent_id is not null or _phase is not distinct from 'h'
             or _room.top_room > 0 and (not _room.begun_first or _lease_no > 0));
end
$$;
comment on function internal.has_room(integer, bigint, "char", integer, boolean) is 'Room for one more run in this transaction.';
