-- internal.ready_state(_phase, _available_at, _now)
-- The name of the state of a waiting task.
create or replace function internal.ready_state(_phase "char", _available_at timestamptz, _now timestamptz) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select case _phase when 'w' then 'waiting' when 'b' then 'blocked' when 'h' then 'handler_pending'
                       else case when _available_at > _now then 'scheduled' else 'ready' end end
$$;
comment on function internal.ready_state("char", timestamptz, timestamptz) is 'State of a waiting task.';
