-- internal.without_suspects(_rows)
-- Removes suspects from a batch.  The machine is the usual cause of one death; a task that has lost two holders is a suspect, and
-- is handed out alone.  A suspect that comes first in order is returned alone; otherwise suspects are removed and wait for their turn.
create or replace function internal.without_suspects(_rows tid[]) returns tid[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _first record;
begin
    select r.ctid, coalesce(r.crash_count, 0) > 1 as is_suspect into _first
    from queues.ready as r where r.ctid = any(_rows)
    order by r.priority, r.available_at, r.task_id limit 1;
    if _first.is_suspect then
        return array[_first.ctid];
    end if;
    return (select array_agg(r.ctid) from queues.ready as r
            where r.ctid = any(_rows) and coalesce(r.crash_count, 0) <= 1);
end
$$;
comment on function internal.without_suspects(tid[]) is 'Returns a suspect that comes first alone; otherwise removes suspects.';
