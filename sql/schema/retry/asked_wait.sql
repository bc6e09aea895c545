-- internal.asked_wait(_answer)
-- The wait that the answer of a function asks for: retry_after, in seconds, within 0 and 30 days; null: none.
create or replace function internal.asked_wait(_answer jsonb) returns interval
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case when jsonb_typeof(_answer->'retry_after') = 'number'
                then make_interval(secs => least(greatest((_answer->>'retry_after')::numeric, 0), 2592000)::float8) end
$$;
comment on function internal.asked_wait(jsonb) is 'Wait that the answer of a function asks for.';
