-- internal.queue_room(_queue_id, _max_running, _top_level_limit, _limit)
-- How many more tasks of a limited queue may start now, and how many of them at the top of a new tree (null: no limit).
-- begun_first: a task at the top was interrupted and is due again, so no new tree starts before it.  The caller has locked the
-- row of the queue.
create or replace function internal.queue_room(_queue_id integer, _max_running integer, _top_level_limit integer,
        _limit integer, out room integer, out top_room integer, out begun_first boolean)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _running integer;
    _top integer;
begin
    select count(*), count(*) filter (where r.parent_id is null) into _running, _top
    from queues.running as r where r.queue_id = _queue_id and r.is_limited;
    room := least(_limit, coalesce(_max_running - _running, _limit));
    begun_first := false;
    if _top_level_limit is not null then
        _top := _top + (select count(*) from queues.ready as r
                        where r.queue_id = _queue_id and r.lease_no > 0 and r.phase in ('h', 'w') and r.parent_id is null);
        top_room := least(room, greatest(_top_level_limit - _top, 0));
        begun_first := top_room > 0 and exists (select 1 from queues.ready as r
                                                where r.queue_id = _queue_id and r.lease_no > 0 and r.phase is null
                                                  and r.parent_id is null and r.available_at <= clock_timestamp());
    end if;
end
$$;
comment on function internal.queue_room(integer, integer, integer, integer) is 'Room left under the limits of a queue.';
