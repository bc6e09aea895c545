-- internal.dedup_slot(_key, _slot)
-- The text under which a waiting command of this dedup key is found: the key itself, or a numbered one if an open transaction holds
-- the first.
create or replace function internal.dedup_slot(_key text, _slot integer) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case when _slot = 1 then _key else _key || ' #' || _slot end
$$;
comment on function internal.dedup_slot(text, integer) is 'Name of a slot of a dedup key.';
