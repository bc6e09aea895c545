-- internal.prune_acts(_before, _limit)
-- Removes acts that were made before a time, and previews that nobody has carried out within a day.  Their ids and results go first
-- come first, at most _limit rows of each per call, so a large act is removed by several calls.
create or replace function internal.prune_acts(_before timestamptz, _limit integer) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _acts bigint[];
    _gone bigint[];
begin
    select array_agg(o.act_id) into _acts from (
        select a.act_id from queues.bulk_act as a
        where a.made_at < _before
           or a.made_at < queues.clock() - interval '1 day' and not exists (select 1 from queues.bulk_started as s where s.act_id = a.act_id)
        order by a.act_id limit 100 for update skip locked) as o;
    -- Ids of acts that earlier calls have removed.
    with recursive present as (
        (select t.act_id from queues.bulk_target as t order by t.act_id limit 1)
        union all
        select (select t.act_id from queues.bulk_target as t where t.act_id > p.act_id order by t.act_id limit 1) from present as p where p.act_id is not null
    )
    select array_agg(p.act_id) into _gone from present as p
    where p.act_id is not null and not exists (select 1 from queues.bulk_act as a where a.act_id = p.act_id);
    _gone := coalesce(_gone, '{}') || coalesce(_acts, '{}');
    if cardinality(_gone) = 0 then
        return;
    end if;
    insert into internal.pruning (xact) values (pg_current_xact_id());
    delete from queues.bulk_scan where act_id = any(_acts);
    delete from queues.bulk_started where act_id = any(_acts);
    delete from queues.bulk_stopped where act_id = any(_acts);
    delete from internal.bulk_carrier where act_id = any(_acts);
    delete from queues.bulk_act where act_id = any(_acts);
    with part as (
        select t.act_id, t.target_id from queues.bulk_target as t where t.act_id = any(_gone) order by t.act_id, t.target_id limit _limit
    ), results as (
        delete from queues.bulk_done as d using part as s where d.act_id = s.act_id and d.target_id = s.target_id
    )
    delete from queues.bulk_target as t using part as s where t.act_id = s.act_id and t.target_id = s.target_id;
    delete from internal.pruning where xact = pg_current_xact_id();
end
$$;
comment on function internal.prune_acts(timestamptz, integer) is 'Removes old acts on many things.';
