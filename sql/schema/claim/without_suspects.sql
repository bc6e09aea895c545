-- internal.without_suspects(_rows)
-- A task that has killed two holders is handed out alone: one death is usually the
-- machine's, two make a suspect.  If it is the first in order it goes alone, else it
-- waits for its turn.
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
comment on function internal.without_suspects(tid[]) is 'Leaves suspects out of a batch, or the batch out for a suspect.';
