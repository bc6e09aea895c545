-- queues.bulk_state
-- Each act on many things, with its filter and its progress.  Patterns, URLs and reasons may repeat data, so they are for operators.
create or replace view queues.bulk_state as
select a.act_id, a.kind,
       case when p.stopped_at is not null then 'stopped' when s.started_at is null then 'previewed' when c.counted = d.ended then 'done' else 'running' end as state,
       c.counted, d.ended - d.skipped - d.refused as done, d.skipped, d.refused, c.counted - d.ended as remaining,
       a.outcome, a.type, a.queue, a.state as task_state, a.since, a.until,
       case when o.sees_all then a.error_like end as error_like, case when o.sees_all then a.url end as url, a.is_all, a.by_ids,
       case when o.sees_all then a.reason end as reason, a.made_at, a.made_by, s.started_at, s.started_by, d.last_at, p.stopped_at, p.stopped_by,
       c.scanned, l.oldest_id, l.oldest_at, case when not l.is_end then l.oldest_id end as cursor,
       (select y.task_id from internal.bulk_carrier as y where y.act_id = a.act_id
        and not exists (select 1 from queues.task_completed as e where e.task_id = y.task_id)) as carrier_task_id
from queues.bulk_act as a
cross join (select pg_has_role('queues_operator', 'member') as sees_all) as o
cross join lateral (select coalesce(sum(x.found), 0)::bigint as counted, coalesce(sum(x.scanned), 0)::bigint as scanned from queues.bulk_scan as x where x.act_id = a.act_id) as c
left join lateral (select x.* from queues.bulk_scan as x where x.act_id = a.act_id order by x.scan_no desc limit 1) as l on true
cross join lateral (select min(x.started_at) as started_at, array_agg(x.started_by order by x.started_at) as started_by from queues.bulk_started as x where x.act_id = a.act_id) as s
cross join lateral (select count(*) as ended, count(*) filter (where x.result = 'skipped') as skipped, count(*) filter (where x.result = 'refused') as refused,
                           max(x.done_at) as last_at from queues.bulk_done as x where x.act_id = a.act_id) as d
left join queues.bulk_stopped as p on p.act_id = a.act_id;
comment on view queues.bulk_state is 'Acts on many things: filter, count and progress.';
