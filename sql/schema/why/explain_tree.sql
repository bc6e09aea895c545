-- internal.explain_tree(_row)
-- A parent that waits for its children, or a serial child that waits for its turn.  At most 1000 open children are counted.
create or replace function internal.explain_tree(_row queues.ready) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _parent constant bigint := case when _row.phase = 'w' then _row.task_id else _row.parent_id end;
    _open bigint[];
    _more text;
begin
    select array_agg(k.task_id order by k.task_id) into _open from (
        select r.task_id from queues.running as r where r.parent_id = _parent
        union all
        (select r.task_id from queues.ready as r where r.parent_id = _parent and r.task_id <> _row.task_id order by r.task_id limit 1000)) as k;
    if _row.phase = 'b' then
        _open := array(select k from unnest(_open) as k where k < _row.task_id);
    end if;
    if coalesce(cardinality(_open), 0) = 0 then
        return internal.explained('task ' || _row.task_id, 'unknown', format('I don''t know: task %s waits for %s, but none of them is open.', _row.task_id,
            case _row.phase when 'w' then 'its children' else 'its turn among the children of task ' || _row.parent_id end), null, null, null,
            jsonb_build_object('parent_id', _row.parent_id, 'hint', 'select worker.rescue_waiting_parents();'));
    end if;
    _more := array_to_string(_open[1:5], ', ') || case when cardinality(_open) > 5 then ' ...' else '' end;
    return internal.explained('task ' || _row.task_id, case _row.phase when 'w' then 'children' else 'sibling' end,
        case _row.phase
            when 'w' then format('Task %s has run and waits for %s%s of its children: %s.', _row.task_id,
                                 case when cardinality(_open) >= 1000 then 'at least ' else '' end, cardinality(_open), _more)
            else format('Task %s waits for its turn: the children of task %s run one after the other, and these come first: %s.', _row.task_id,
                        _row.parent_id, _more) end,
        null, null, null, jsonb_build_object('open', to_jsonb(_open[1:5]), 'open_count', cardinality(_open), 'parent_id', _row.parent_id));
end
$$;
comment on function internal.explain_tree(queues.ready) is 'Which relatives a task waits for.';
