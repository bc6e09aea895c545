-- internal.lock_holders(_pids)
-- Sessions that hold a lock, as far as the caller may see them: a query only if the server shows it to the caller (pg_stat_activity), so this
-- function runs with the rights of the caller.  Pid 0 stands for a transaction whose session is not known.
create or replace function internal.lock_holders(_pids integer[]) returns jsonb
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('pid', p.pid, 'user', a.usename, 'application', nullif(left(a.application_name, 64), ''),
        'state', a.state, 'since', a.xact_start, 'query', case when a.query <> '<insufficient privilege>' then left(nullif(a.query, ''), 1000) end)) order by p.pid)
    from (select distinct u.pid from unnest(_pids) as u(pid)) as p left join pg_stat_activity as a on a.pid = p.pid
$$;
comment on function internal.lock_holders(integer[]) is 'Sessions that hold a lock, as far as the caller may see them.';
