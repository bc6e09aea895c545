-- internal.run_pid(_task_id)
-- The backend that runs a task right now, as its advisory lock shows; null: none.
create or replace function internal.run_pid(_task_id bigint) returns integer
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select l.pid from pg_locks as l
    where l.locktype = 'advisory' and l.classid = 20546 and l.objsubid = 2 and l.granted
      and l.objid = (_task_id & 2147483647)::bigint::oid
      and l.database = (select d.oid from pg_database as d where d.datname = current_database())
    limit 1
$$;
comment on function internal.run_pid(bigint) is 'The backend that runs a task right now.';
