-- internal.wait_words(_wait)
-- A wait in plain words: 5 h 12 min.
create or replace function internal.wait_words(_wait interval) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _seconds constant bigint := greatest(0, ceil(extract(epoch from _wait)))::bigint;
begin
    return case when _seconds < 60 then _seconds || ' s'
                when _seconds < 3600 then _seconds / 60 || ' min ' || _seconds % 60 || ' s'
                when _seconds < 86400 then _seconds / 3600 || ' h ' || _seconds % 3600 / 60 || ' min'
                else _seconds / 86400 || ' d ' || _seconds % 86400 / 3600 || ' h' end;
end
$$;
comment on function internal.wait_words(interval) is 'A wait in plain words.';
