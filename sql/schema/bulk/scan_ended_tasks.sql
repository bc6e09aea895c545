-- internal.scan_ended_tasks(_act, _before, _scan)
-- One bounded look at completed tasks below an id, newest first: which ids the filter of an act fits, and how far back it looked.  Tasks that failed
-- are found without the others.  A task that was repeated already is left out, so a chain of attempts counts once, by its last attempt.
create or replace function internal.scan_ended_tasks(_act queues.bulk_act, _before bigint, _scan integer,
        out ids bigint[], out scanned bigint, out oldest_id bigint, out oldest_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _outcome constant text := coalesce(_act.outcome, 'failed');
    _is_bad constant boolean := _outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt');
begin
    with seen as materialized (
        (select c.task_id, c.outcome, c.completed_at from queues.task_completed as c
         where _is_bad and c.task_id < _before and c.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt') order by c.task_id desc limit _scan)
        union all
        (select c.task_id, c.outcome, c.completed_at from queues.task_completed as c
         where not _is_bad and c.task_id < _before order by c.task_id desc limit _scan)
    ), fitting as (
        select s.task_id from seen as s
        cross join lateral (select x.task_type, x.queue from queues.task as x where x.task_id = s.task_id offset 0) as t
        where s.outcome = _outcome and (_act.since is null or s.completed_at >= _act.since) and (_act.until is null or s.completed_at < _act.until)
          and (_act.type is null or t.task_type = _act.type) and (_act.queue is null or t.queue = _act.queue)
          and t.task_type not in ('job_http', 'job_func')
          and (_act.error_like is null or (select e.error_message like _act.error_like from queues.error as e where e.task_id = s.task_id order by e.error_id desc limit 1))
          and (select n.task_id from queues.task as n where n.retry_of = s.task_id limit 1) is null
    )
    select (select array_agg(f.task_id) from fitting as f), (select count(*) from seen), (select min(s.task_id) from seen as s) into ids, scanned, oldest_id;
    select c.completed_at into oldest_at from queues.task_completed as c where c.task_id = oldest_id;
end
$$;
comment on function internal.scan_ended_tasks(queues.bulk_act, bigint, integer) is 'A bounded look at completed tasks, newest first.';
