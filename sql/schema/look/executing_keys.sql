-- internal.executing_keys()
-- The keys of the advisory locks of all runs: the last 31 bits of the ids of tasks that are being run right now, as in internal.is_executing.
create or replace function internal.executing_keys() returns oid[]
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select array(select l.objid from pg_locks as l
                 where l.locktype = 'advisory' and l.classid = 20546 and l.objsubid = 2
                   and l.database = (select d.oid from pg_database as d where d.datname = current_database()))
$$;
comment on function internal.executing_keys() is 'Keys of the tasks that are being run right now.';
