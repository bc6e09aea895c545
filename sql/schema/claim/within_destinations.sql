-- internal.within_destinations(_rows, _limits)
-- The rows of a claim, without calls and retries beyond the room of their destination.  The first call of a destination that has
-- none in progress is free; all others use the shared room.  So a few places are left for new destinations, whatever the others do.
create or replace function internal.within_destinations(_rows tid[], _limits internal.claim_limits) returns tid[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _all constant integer := 2147483647;
begin
    return coalesce((
        select array_agg(z.ctid order by z.priority, z.available_at, z.task_id)
        from (select y.*, row_number() over (partition by y.is_first order by y.priority, y.available_at, y.task_id) as nth_of_all
              from (select x.*, (x.i is null or x.destination is null) and x.nth = 1 as is_first
                    from (select w.*, row_number() over (partition by w.destination order by w.priority, w.available_at, w.task_id) as nth
                          from (select r.ctid, r.destination, r.is_retry, r.priority, r.available_at, r.task_id,
                                       array_position(_limits.destinations, r.destination) as i,
                                       row_number() over (partition by r.destination, r.is_retry
                                                          order by r.priority, r.available_at, r.task_id) as nth_of_kind
                                from queues.ready as r where r.ctid = any(_rows)) as w
                          where w.is_retry is null
                             or w.nth_of_kind <= coalesce(_limits.retry_rooms[w.i], _limits.other_retry_room, _all)) as x
                    where x.nth <= coalesce(_limits.rooms[x.i], _limits.other_room, _all)) as y) as z
        where z.is_first or z.nth_of_all <= coalesce(_limits.shared_room, _all)), '{}');
end
$$;
comment on function internal.within_destinations(tid[], internal.claim_limits) is 'Removes rows beyond the room of their destination.';
