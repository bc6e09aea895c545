-- internal.is_executing(_task_id)
-- Does a session run this task right now?  The advisory lock of the run shows it.
create or replace function internal.is_executing(_task_id bigint) returns boolean
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from pg_locks as l
                   where l.locktype = 'advisory' and l.classid = 20546 and l.objsubid = 2
                     and l.objid = (_task_id & 2147483647)::bigint::oid
                     and l.database = (select d.oid from pg_database as d where d.datname = current_database()))
$$;
comment on function internal.is_executing(bigint) is 'Whether a task is being run right now.';
