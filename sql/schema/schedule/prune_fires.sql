-- internal.prune_fires(_before, _limit)
-- Removes decisions that were made before a time, oldest first.  Schedules live on: nothing is decided from these facts.
create or replace function internal.prune_fires(_before timestamptz, _limit integer) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from (select f.decided_at from queues.schedule_fire as f order by f.fire_id limit 1) as o where o.decided_at < _before) then
        return;
    end if;
    insert into internal.pruning (xact) values (pg_current_xact_id());
    delete from queues.schedule_fire as f
    where f.decided_at < _before and f.fire_id in (select o.fire_id from queues.schedule_fire as o order by o.fire_id limit _limit);
    delete from internal.pruning where xact = pg_current_xact_id();
end
$$;
comment on function internal.prune_fires(timestamptz, integer) is 'Removes old decisions of schedules.';
