-- internal.has_room(_queue_id, _parent_id, _phase, _only_mine)
-- May one more task of this queue start, for a run in the caller's transaction?  Alone
-- with its own tasks, only those count.
create or replace function internal.has_room(_queue_id integer, _parent_id bigint, _phase "char", _only_mine boolean)
    returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _queue queues.queue;
    _room record;
begin
    select q.* into _queue from queues.queue as q where q.queue_id = _queue_id;
    if _only_mine or (_queue.max_running is null and _queue.top_level_limit is null) then
        return true;
    end if;
    perform 1 from queues.queue as q where q.queue_id = _queue_id for no key update skip locked;
    if not found then
        return false;
    end if;
    _room := internal.queue_room(_queue_id, _queue.max_running, _queue.top_level_limit, 1);
    return _room.room > 0 and (not _room.only_children or _parent_id is not null or _phase = 'h');
end
$$;
comment on function internal.has_room(integer, bigint, "char", boolean) is 'Room for one more run in this transaction.';
