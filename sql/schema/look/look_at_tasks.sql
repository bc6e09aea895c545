-- internal.look_at_tasks(_open, _state, _task_type, _queue, _since, _until, _error_like, _before, _scan)
-- One bounded look at tasks below an id, newest first: at those in _open, which are in the state already, or at all of them.  Times are compared
-- with the end of a completed task, and with the enqueue of an open one.
create or replace function internal.look_at_tasks(_open bigint[], _state text, _task_type text, _queue text, _since timestamptz, _until timestamptz,
        _error_like text, _before bigint, _scan integer, out ids bigint[], out scanned bigint, out oldest_id bigint)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _is_timed constant boolean := _since is not null or _until is not null;
begin
    with seen as materialized (
        (select t.task_id, t.task_type, t.queue, t.enqueued_at from queues.task as t where _open is null and t.task_id < _before order by t.task_id desc limit _scan)
        union all
        (select t.task_id, t.task_type, t.queue, t.enqueued_at
         from (select i from unnest(_open) as i where i < _before order by i desc limit _scan) as o(id)
         cross join lateral (select x.* from queues.task as x where x.task_id = o.id offset 0) as t)
    ), fitting as materialized (
        select s.task_id from seen as s
        where (_task_type is null or s.task_type = _task_type) and (_queue is null or s.queue = _queue)
          and (not _is_timed or (select coalesce(e.at >= _since, true) and coalesce(e.at < _until, true)
                                 from (select coalesce((select c.completed_at from queues.task_completed as c where c.task_id = s.task_id), s.enqueued_at) as at) as e))
          and (_error_like is null
               or (select e.error_message like _error_like from queues.error as e where e.task_id = s.task_id order by e.error_id desc limit 1))
    )
    select array(select f.task_id from fitting as f order by f.task_id desc), (select count(*) from seen), (select min(s.task_id) from seen as s)
    into ids, scanned, oldest_id;
    if _state is not null and _open is null then
        ids := array(select p.task_id from internal.task_places(array(select i from unnest(ids) as i
                         where not exists (select 1 from queues.task_completed as c where c.task_id = i))) as p
                     where p.state = _state order by p.task_id desc);
    end if;
end
$$;
comment on function internal.look_at_tasks(bigint[], text, text, text, timestamptz, timestamptz, text, bigint, integer) is 'A bounded look at tasks.';
