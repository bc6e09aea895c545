-- internal.share_bound(_lanes, _type_ids, _limits, _single, _now, _limit)
-- A position in claim order that a claim over many lanes does not pass.  Priority by priority, a few rows of each lane are read
-- until there are as many as wanted.  Only lanes of queues without limits are read: a limit could remove some of the rows again.
create or replace function internal.share_bound(_lanes internal.lane[], _type_ids smallint[], _limits internal.claim_limits,
        _single boolean, _now timestamptz, _limit integer,
        out priority bigint, out available_at timestamptz, out task_id bigint)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _wanted integer := _limit;
    _each integer; -- rows to read of each lane
    _level record;
    _last record;
begin
    for _level in
        select l.priority, array_agg(l) as lanes from unnest(_lanes) as l
        where l.room >= _limit and not (l.only_children or l.begun_first or l.only_top)
        group by l.priority order by l.priority
    loop
        _each := case cardinality(_level.lanes) when 1 then _wanted else 2 * _wanted / cardinality(_level.lanes) + 1 end;
        loop
            with candidate as materialized (
                select l.n, x.available_at, x.task_id
                from unnest(_level.lanes) with ordinality
                    as l(queue_id, priority, starts_at, room, only_children, begun_first, after_id, only_top, n)
                cross join lateral (
                    select r.available_at, r.task_id from queues.ready as r
                    where r.queue_id = l.queue_id and r.priority = l.priority
                      and (r.available_at, r.task_id) > (l.starts_at, l.after_id) and r.available_at <= _now
                      and r.type_id = any(_type_ids)
                      and (r.destination is null and _limits.skips_unknown is not true or r.destination <> all(_limits.skipped)
                           and (r.is_retry is null or r.destination <> all(_limits.skipped_retries)))
                      and not (_single and r.phase is not null)
                    order by r.available_at, r.task_id
                    limit _each) as x
            )
            select c.found, c.is_cut, l.available_at, l.task_id into _last
            from (select coalesce(sum(n.found), 0)::integer as found, coalesce(bool_or(n.found = _each), false) as is_cut
                  from (select count(*) as found from candidate as c group by c.n) as n) as c
            left join lateral (select c.available_at, c.task_id from candidate as c
                               order by c.available_at, c.task_id offset _wanted - 1 limit 1) as l on true;
            if _last.task_id is not null then
                priority := _level.priority;
                available_at := _last.available_at;
                task_id := _last.task_id;
                return;
            end if;
            exit when not _last.is_cut;
            _each := _each * 4;
        end loop;
        _wanted := _wanted - _last.found;
    end loop;
    priority := 9223372036854775807;
    available_at := 'infinity';
    task_id := 9223372036854775807;
end
$$;
comment on function internal.share_bound(internal.lane[], smallint[], internal.claim_limits, boolean, timestamptz, integer) is
    'A position in claim order that a claim over these lanes does not pass.';
