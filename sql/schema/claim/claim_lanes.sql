-- internal.claim_lanes(_queue_id, _max_running, _top_level_limit, _type_ids, _limits, _single, _hints, _since, _now, _limit)
-- The lanes of one queue, most urgent first: the lanes that the caller knows, from its hints, and the lanes with due rows between
-- them, from _since.  A hint has one of three forms.  A time: the lane starts a second before it, for rows that were committed
-- late.  A time and a task id: the lane starts right behind that task.  A number: the lane starts at _since, like an unknown lane,
-- but is not searched for over dead rows.
-- Only rows that this claim may take make a lane due: other rows must not hide the rows behind them.
-- A queue with a limit is claimed by one session at a time: its row is locked, and a new statement counts the running tasks.  A
-- limit of trees makes two lanes of each priority: one for children and pending handlers, one for the tops of new trees.
create or replace function internal.claim_lanes(_queue_id integer, _max_running integer, _top_level_limit integer,
        _type_ids smallint[], _limits internal.claim_limits, _single boolean, _hints jsonb, _since timestamptz,
        _now timestamptz, _limit integer)
    returns internal.lane[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _lanes internal.lane[] := array[]::internal.lane[];
    _room integer := _limit;
    _top_room integer;
    _begun_first boolean := false;
    _kinds integer := 1; -- lanes per priority: 1, or 2 for children and tops of trees
    _only_children boolean := false;
    _due integer := 0; -- number of due lanes found
    _is_gap boolean; -- whether there may be lanes between two known ones
    _min constant bigint := -9223372036854775808;
    _max constant bigint := 9223372036854775807;
    _low bigint := _min;
    _high bigint;
    _known record;
    _found internal.lane[];
begin
    if _max_running is not null or _top_level_limit is not null then
        perform 1 from queues.queue as q where q.queue_id = _queue_id for no key update skip locked;
        if not found then
            return _lanes;
        end if;
        select * into _room, _top_room, _begun_first
        from internal.queue_room(_queue_id, _max_running, _top_level_limit, _limit);
        if _room < 1 then
            return _lanes;
        end if;
        _only_children := _top_room is not null;
        _kinds := case when _top_room > 0 then 2 else 1 end;
    end if;

    for _known in
        select e.key::bigint as priority,
               case jsonb_typeof(e.value) when 'array' then (e.value->>0)::timestamptz
                                          when 'number' then _since
                                          else (e.value #>> '{}')::timestamptz - interval '1 second' end as starts_at,
               case jsonb_typeof(e.value) when 'array' then (e.value->>1)::bigint else _min end as after_id
        from jsonb_each(_hints) as e
        union all
        select null, null, null
        order by 1 nulls last
    loop
        -- A null bound ends the loop: there is nothing below the smallest or above the largest priority.
        _high := case when _known.priority is null then _max else nullif(_known.priority, _min) - 1 end;
        -- Most gaps are empty.
        _is_gap := _low <= _high;
        if _is_gap then
            _is_gap := exists (
                select 1 from queues.ready as r where r.queue_id = _queue_id and r.priority >= _low and r.priority <= _high);
        end if;
        if _is_gap then
            with recursive present as (
                (select r.priority from queues.ready as r
                 where r.queue_id = _queue_id and r.priority >= _low and r.priority <= _high
                 order by r.priority limit 1)
                union all
                select (select r.priority from queues.ready as r
                        where r.queue_id = _queue_id and r.priority > p.priority and r.priority <= _high
                        order by r.priority limit 1)
                from present as p where p.priority is not null
            ), due as (
                select p.priority, k.kind from present as p cross join generate_series(1, _kinds) as k(kind)
                where exists (
                    select 1 from queues.ready as r
                    where r.queue_id = _queue_id and r.priority = p.priority and r.available_at >= _since and r.available_at <= _now
                      and r.type_id = any(_type_ids)
                      and (not _only_children or (r.parent_id is not null or coalesce(r.phase = 'h', false)) = (k.kind = 1))
                      and (k.kind = 1 or not _begun_first or r.lease_no > 0)
                      and (r.destination is null and _limits.skips_unknown is not true or r.destination <> all(_limits.skipped)
                           and (r.is_retry is null or r.destination <> all(_limits.skipped_retries)))
                      and not (_single and r.phase is not null))
                -- There are as many due lanes as wanted rows: a later priority cannot be among them.
                limit (_limit + 1) * _kinds
            )
            select array_agg(row(_queue_id, d.priority, _since, case d.kind when 1 then _room else _top_room end,
                                 _only_children and d.kind = 1, _begun_first and d.kind = 2, _min, d.kind = 2)::internal.lane
                             order by d.priority, d.kind)
            into _found from due as d;
            _lanes := _lanes || _found;
            _due := _due + coalesce(cardinality(_found), 0);
        end if;
        exit when _due > _limit * _kinds;
        if _known.priority is not null then
            for _kind in 1 .. _kinds loop
                -- Children are younger than trees that wait for their turn, so tops of trees are read from the front.
                _lanes := _lanes || row(_queue_id, _known.priority, case _kind when 1 then _known.starts_at else '-infinity' end,
                                        case _kind when 1 then _room else _top_room end, _only_children and _kind = 1,
                                        _begun_first and _kind = 2, case _kind when 1 then _known.after_id else _min end,
                                        _kind = 2)::internal.lane;
            end loop;
            _low := nullif(_known.priority, _max) + 1;
        end if;
    end loop;
    return _lanes;
end
$$;
comment on function internal.claim_lanes(integer, integer, integer, smallint[], internal.claim_limits, boolean, jsonb, timestamptz,
    timestamptz, integer) is
    'The lanes of one queue from which a claim may take.';
