-- internal.share_limit(_lanes, _type_ids, _limits, _single, _now, _limit)
-- With several lanes, an unlocked merge over their fronts decides how many rows to take from each, so that together they are in
-- claim order.  The rows are locked afterwards, lane by lane, without those that other sessions hold.  With many lanes, a bound is
-- computed first, so that not every lane is read for as many rows as are wanted in total.
create or replace function internal.share_limit(_lanes internal.lane[], _type_ids smallint[],
        _limits internal.claim_limits, _single boolean, _now timestamptz, _limit integer) returns internal.lane[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _few constant integer := 8;
    _bound record;
begin
    if cardinality(_lanes) > _few then
        _bound := internal.share_bound(_lanes, _type_ids, _limits, _single, _now, _limit);
    else
        select 9223372036854775807 as priority, timestamptz 'infinity' as available_at, 9223372036854775807 as task_id into _bound;
    end if;
    return (with candidate as (
        select l.n, l.queue_id, l.priority, x.available_at, x.task_id, l.room, max(l.room) over (partition by l.queue_id) as queue_room,
               row_number() over (partition by l.queue_id, l.only_top order by l.priority, x.available_at, x.task_id) as nth
        from unnest(_lanes) with ordinality as l(queue_id, priority, starts_at, room, only_children, begun_first, after_id, only_top, n)
        cross join lateral (select case when l.priority = _bound.priority then _bound.available_at else 'infinity' end as at,
                                   case when l.priority = _bound.priority then _bound.task_id else 9223372036854775807 end as id) as last
        cross join lateral (
            select r.available_at, r.task_id from queues.ready as r
            where r.queue_id = l.queue_id and r.priority = l.priority
              and (r.available_at, r.task_id) > (l.starts_at, l.after_id) and (r.available_at, r.task_id) <= (last.at, last.id)
              and r.available_at <= _now
              and r.type_id = any(_type_ids)
              and (not l.only_children or r.parent_id is not null or r.phase = 'h')
              and (not l.only_top or (r.parent_id is null and r.phase is distinct from 'h'))
              and (not l.begun_first or r.lease_no > 0)
              and (r.destination is null and _limits.skips_unknown is not true or r.destination <> all(_limits.skipped)
                   and (r.is_retry is null or r.destination <> all(_limits.skipped_retries)))
              and not (_single and r.phase is not null)
            order by r.available_at, r.task_id
            limit least(l.room, _limit)) as x
        where l.priority <= _bound.priority
    ), share as (
        select c.n, count(*)::integer as room
        from (select c.n
              from (select c.*, row_number() over (partition by c.queue_id order by c.priority, c.available_at, c.task_id) as nth_of_queue
                    from candidate as c where c.nth <= c.room) as c
              where c.nth_of_queue <= c.queue_room
              order by c.priority, c.available_at, c.task_id limit _limit) as c
        group by c.n
    )
    select coalesce(array_agg(row(l.queue_id, l.priority, l.starts_at, s.room, l.only_children, l.begun_first, l.after_id,
                                  l.only_top)::internal.lane order by l.priority, l.queue_id), '{}')
    from share as s
    join unnest(_lanes) with ordinality as l(queue_id, priority, starts_at, room, only_children, begun_first, after_id, only_top, n)
        on l.n = s.n);
end
$$;
comment on function internal.share_limit(internal.lane[], smallint[], internal.claim_limits, boolean, timestamptz, integer) is
    'Decides how many rows a claim takes from each lane.';
