-- internal.look_at_ended(_outcome, _task_type, _queue, _since, _until, _error_like, _before, _scan)
-- One bounded look at completed tasks below an id: which ones the filter fits, newest first.  Tasks that failed are found without the others.
create or replace function internal.look_at_ended(_outcome text, _task_type text, _queue text, _since timestamptz, _until timestamptz, _error_like text,
        _before bigint, _scan integer, out ids bigint[], out scanned bigint, out oldest_id bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _is_rare constant boolean := coalesce(_outcome in ('in_doubt', 'quarantined'), false);
    _is_bad constant boolean := coalesce(_outcome in ('failed', 'cancelled'), false);
begin
    with seen as materialized (
        (select c.task_id, c.outcome, c.completed_at from queues.task_completed as c
         where _is_rare and c.outcome = _outcome and c.outcome in ('in_doubt', 'quarantined') and c.task_id < _before order by c.task_id desc limit _scan)
        union all
        (select c.task_id, c.outcome, c.completed_at from queues.task_completed as c
         where _is_bad and c.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt') and c.task_id < _before order by c.task_id desc limit _scan)
        union all
        (select c.task_id, c.outcome, c.completed_at from queues.task_completed as c
         where not _is_bad and not _is_rare and c.task_id < _before order by c.task_id desc limit _scan)
    ), fitting as (
        select s.task_id from seen as s
        where (_outcome is null or s.outcome = _outcome) and (_since is null or s.completed_at >= _since) and (_until is null or s.completed_at < _until)
          and (num_nonnulls(_task_type, _queue) = 0
               or (select (_task_type is null or t.task_type = _task_type) and (_queue is null or t.queue = _queue)
                   from queues.task as t where t.task_id = s.task_id))
          and (_error_like is null
               or (select e.error_message like _error_like from queues.error as e where e.task_id = s.task_id order by e.error_id desc limit 1))
    )
    select array(select f.task_id from fitting as f order by f.task_id desc), (select count(*) from seen), (select min(s.task_id) from seen as s)
    into ids, scanned, oldest_id;
end
$$;
comment on function internal.look_at_ended(text, text, text, timestamptz, timestamptz, text, bigint, integer) is 'A bounded look at completed tasks.';
