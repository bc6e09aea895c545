-- internal.look_bounds(_limit)
-- How far a list looks for a page of so many rows: things at most, and time at most, after which it stops if it has looked at a thousand.
create or replace function internal.look_bounds(_limit integer, out most bigint, out longest interval)
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select greatest(20000, 2 * _limit)::bigint, interval '25 milliseconds' + _limit * interval '0.1 milliseconds'
$$;
comment on function internal.look_bounds(integer) is 'How far a list looks.';
