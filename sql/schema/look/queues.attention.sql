-- queues.attention()
-- What needs a person now: at most eleven things of each kind, newest first.  Ten are shown, and the eleventh says that there are
-- more.  It reads indexes from their ends and small tables; history is read back for a day, and no further than some thousand tasks.
-- Task types are those of the first 10,000 waiting tasks. A failed task of a process counts only if the process has ended otherwise
-- than succeeded: until then its supervisor decides what follows.
create or replace function queues.attention() returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _most constant integer := 11;
    _answer jsonb := jsonb_build_object();
    _outcome text;
    -- Read once: for each type anew, it would be the most costly part.
    _types constant integer[] := array(select distinct r.type_id::integer from (select y.type_id from queues.ready as y limit 10000) as r);
begin
    foreach _outcome in array array['in_doubt', 'quarantined'] loop
        _answer := _answer || jsonb_build_object(_outcome, (
            select coalesce(jsonb_agg(jsonb_build_object('task_id', x.task_id) order by x.task_id desc), '[]')
            from (select c.task_id from queues.task_completed as c
                  where c.outcome = _outcome and c.outcome in ('in_doubt', 'quarantined')
                    and (select true from queues.task as t where t.retry_of = c.task_id limit 1) is null
                    -- A process that was revived has a later run.
                    and (select true from queues.task as t join queues.task as n on n.process_id = t.process_id and n.task_id > t.task_id
                         where t.task_id = c.task_id and t.is_supervisor_run and n.is_supervisor_run limit 1) is null
                  order by c.task_id desc limit _most) as x));
    end loop;
    return _answer || jsonb_build_object(
        'failed', (select coalesce(jsonb_agg(jsonb_build_object('task_id', x.task_id) order by x.task_id desc), '[]')
            from (select c.task_id from (select y.task_id, y.outcome, y.completed_at from queues.task_completed as y
                                         where y.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt') order by y.task_id desc limit 500) as c
                  where c.outcome = 'failed' and c.completed_at > _now - interval '1 day'
                    and (select true from queues.task as t where t.retry_of = c.task_id limit 1) is null
                    and (select true from queues.task as t where t.task_id = c.task_id and t.is_supervisor_run is not true and t.process_id is not null
                           and (internal.is_live(t.process_id)
                                or (select e.reason from queues.process_ended as e where e.process_id = t.process_id
                                    order by e.run_no desc, e.ended_at desc limit 1) = 'succeeded')) is null
                  order by c.task_id desc limit _most) as x),
        'dead_ends', (select coalesce(jsonb_agg(jsonb_build_object('process_id', x.process_id, 'reason', x.reason) order by x.ended_at desc), '[]')
            from (select e.process_id, e.reason, e.ended_at from queues.process_ended as e
                  where e.reason in ('supervisor_failed', 'run_limit', 'quarantined') and e.ended_at > _now - interval '7 days'
                    and not internal.is_live(e.process_id)
                    and e.run_no = (select coalesce(max(r.run_no), 0) from queues.process_run as r where r.process_id = e.process_id)
                  order by e.ended_at desc limit _most) as x),
        'paused', (select coalesce(jsonb_agg(jsonb_build_object('queue', x.queue) order by x.queue), '[]')
            from (select q.queue from queues.queue as q where q.paused_until > _now order by q.queue limit _most) as x),
        'unserved', (select coalesce(jsonb_agg(jsonb_build_object('task_type', x.task_type) order by x.task_type), '[]')
            from (select t.task_type from queues.registered_task_type as t
                  where not internal.is_served(t.task_type, null) and t.type_id = any(_types)
                  order by t.task_type limit _most) as x),
        'closed', (select coalesce(jsonb_agg(jsonb_build_object('host', x.host, 'until', x.until) order by x.host), '[]')
            from (select c.host, max(c.until) as until from queues.worker_seen as w cross join lateral unnest(w.closed, w.closed_until) as c(host, until)
                  where c.until > _now group by c.host order by c.host limit _most) as x),
        'silent', (select coalesce(jsonb_agg(jsonb_build_object('worker_name', x.worker_name, 'seen_at', x.seen_at) order by x.seen_at desc), '[]')
            from (select s.worker_name, w.seen_at from queues.worker_seen as w join queues.worker_started as s on s.worker_id = w.worker_id
                  where w.seen_at <= _now - interval '60 seconds' and w.seen_at > _now - interval '1 day'
                    and s.worker_id <> '00000000-0000-4000-8000-000000000001'
                  order by w.seen_at desc limit _most) as x),
        'schedules', (select coalesce(jsonb_agg(jsonb_build_object('schedule_name', x.schedule_name) order by x.schedule_name), '[]')
            from (select s.schedule_name from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id
                  where d.refusals > 0 or (s.paused_at is not null and d.failures >= s.pause_after_failures) order by s.schedule_name limit _most) as x));
end
$$;
comment on function queues.attention() is 'What needs a person now.';
