-- internal.asked_wait(_answer)
-- The wait that the answer of a function asks for: retry_after, in seconds, within 0 and 30 days; null: none.  It is rounded, because
-- a number that is too small for a double precision would be an error.
create or replace function internal.asked_wait(_answer jsonb) returns interval
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case when jsonb_typeof(_answer->'retry_after') = 'number'
                then make_interval(secs => round(least(greatest((_answer->>'retry_after')::numeric, 0), 2592000), 6)::float8) end
$$;
comment on function internal.asked_wait(jsonb) is 'Wait that the answer of a function asks for.';
