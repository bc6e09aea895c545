-- internal.claim_limits(_destinations, _rooms, _retry_rooms, _other_room, _other_retry_room, _shared_room)
-- The limits of a claim, with the destinations that it passes over: those without room, and those without room for retries.  A
-- null among the destinations stands for calls whose destination is not known before they are announced.
create or replace function internal.claim_limits(_destinations text[], _rooms integer[], _retry_rooms integer[],
        _other_room integer, _other_retry_room integer, _shared_room integer) returns internal.claim_limits
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _limits internal.claim_limits;
begin
    if coalesce(cardinality(_destinations), 0) <> coalesce(cardinality(_rooms), 0)
       or coalesce(cardinality(_destinations), 0) <> coalesce(cardinality(_retry_rooms), 0) then
        raise exception using errcode = '22023', message = 'destinations, rooms and retry rooms must be of the same length';
    end if;
    _limits.destinations := _destinations;
    _limits.rooms := _rooms;
    _limits.retry_rooms := _retry_rooms;
    _limits.other_room := _other_room;
    _limits.other_retry_room := _other_retry_room;
    _limits.shared_room := _shared_room;
    select coalesce(array_agg(d.name) filter (where d.room < 1 and d.name is not null), '{}'),
           coalesce(array_agg(d.name) filter (where d.retry_room < 1 and d.name is not null), '{}'),
           coalesce(bool_or(d.room < 1 and d.name is null), false)
    into _limits.skipped, _limits.skipped_retries, _limits.skips_unknown
    from unnest(_destinations, _rooms, _retry_rooms) as d(name, room, retry_room);
    return _limits;
end
$$;
comment on function internal.claim_limits(text[], integer[], integer[], integer, integer, integer) is 'The limits of a claim.';
