-- internal.live_processes(_most)
-- The processes with an open run, newest first.  Null: more than _most rows of the working set would have to be read.
create or replace function internal.live_processes(_most integer) returns bigint[]
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _ids bigint[];
    _read bigint;
begin
    with seen as materialized (
        (select r.process_id, r.is_supervisor_run from queues.ready as r where r.process_id is not null limit _most + 1)
        union all
        (select r.process_id, r.is_supervisor_run from queues.running as r where r.process_id is not null limit _most + 1)
    )
    select array_agg(distinct s.process_id order by s.process_id desc) filter (where s.is_supervisor_run), count(*) into _ids, _read from seen as s;
    return case when _read <= _most then coalesce(_ids, '{}') end;
end
$$;
comment on function internal.live_processes(integer) is 'The processes with an open run, unless they are too many.';
