-- internal.tree_end(_task_id, _own)
-- The outcome and info of a task whose children have all ended.  It failed if a child failed; of a child that was retried, the last
-- attempt counts.  Its info: numbers of the children
-- are added up, for other keys the youngest child's value counts, and the task's own keys override both.
create or replace function internal.tree_end(_task_id bigint, _own jsonb, out outcome text, out info jsonb)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set jit = off
as $$
begin
    select case when bool_or(c.outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt')) then 'failed' else 'succeeded' end
    into outcome
    from queues.task as k join queues.task_completed as c on c.task_id = k.task_id
    where k.parent_id = _task_id
      and not (c.outcome = 'failed' and internal.last_attempt(k.task_id) <> k.task_id);
    select jsonb_object_agg(v.key, v.value) into info
    from (select e.key,
                 case when bool_and(jsonb_typeof(e.value) = 'number') then to_jsonb(sum(case jsonb_typeof(e.value)
                           when 'number' then (e.value #>> '{}')::numeric end))
                      else (array_agg(e.value order by k.task_id desc))[1] end as value
          from queues.task as k
          join queues.task_completed as c on c.task_id = k.task_id and c.outcome in ('succeeded', 'failed')
               and not (c.outcome = 'failed' and internal.last_attempt(k.task_id) <> k.task_id)
          cross join lateral jsonb_each(case jsonb_typeof(c.result) when 'object' then c.result else '{}' end) as e
          where k.parent_id = _task_id and c.result is not null
          group by e.key) as v;
    if info is not null or _own is not null then
        info := internal.bounded(coalesce(info, '{}') || coalesce(_own, '{}'));
    end if;
end
$$;
comment on function internal.tree_end(bigint, jsonb) is 'Outcome and info of a parent, from its children.';
