-- queues.list_processes(_state, _supervisor, _since, _until, _cursor, _limit)
-- A page of supervised processes, newest first (internal.list_answer).  Times are compared with the begin of a process.  It reads
-- queues.process_state with the rights of its caller, and changes nothing.
create or replace function queues.list_processes(_state text default null, _supervisor text default null, _since timestamptz default null,
        _until timestamptz default null, _cursor text default null, _limit integer default 50) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _bounds constant record := internal.look_bounds(_limit);
    _began timestamptz;
    _before bigint;
    _live bigint[];
    _scan integer;
    _look record;
    _ids bigint[] := array[]::bigint[];
    _scanned bigint := 0;
begin
    perform internal.check_text('state', _state, 64), internal.check_text('supervisor', _supervisor, 256), internal.check_text('cursor', _cursor, 64);
    perform internal.check_word('state', _state, array['live', 'ended']);
    _before := internal.check_look(_since, _until, _limit, _cursor);
    if _state = 'live' then
        _live := internal.live_processes(10000);
    end if;
    _scan := least(_limit + 1, 1000);
    _began := clock_timestamp();
    loop
        with seen as materialized (
            (select p.process_id, p.supervisor, p.state, p.created_at from queues.process_state as p
             where _live is null and p.process_id < _before order by p.process_id desc limit _scan)
            union all
            (select p.process_id, p.supervisor, p.state, p.created_at
             from (select i from unnest(_live) as i where i < _before order by i desc limit _scan) as o(id)
             cross join lateral (select x.* from queues.process_state as x where x.process_id = o.id offset 0) as p)
        )
        select array(select s.process_id from seen as s
                     where (_state is null or s.state = _state) and (_supervisor is null or s.supervisor = _supervisor)
                       and (_since is null or s.created_at >= _since) and (_until is null or s.created_at < _until) order by s.process_id desc) as ids,
               (select count(*) from seen) as scanned, (select min(s.process_id) from seen as s) as oldest_id, (select min(s.created_at) from seen as s) as oldest_at
        into _look;
        _ids := _ids || _look.ids;
        _scanned := _scanned + _look.scanned;
        _before := coalesce(_look.oldest_id, _before);
        if cardinality(_ids) > _limit then
            _before := _ids[_limit];
            exit;
        elsif _look.scanned < _scan then
            _before := null;
            exit;
        end if;
        exit when _scanned >= _bounds.most or _scanned >= 1000 and clock_timestamp() - _began > _bounds.longest;
        _scan := least(4 * _scan, 1000);
    end loop;
    return internal.list_answer(
        (select coalesce(jsonb_agg(to_jsonb(x.*) order by x.process_id desc), '[]')
         from (select p.process_id, p.supervisor, p.ids, p.state, p.next_run_at, p.runs, p.last_status, p.end_reason, p.created_at, p.last_run_at, p.ended_at,
                      p.parent_process_id
               from unnest(_ids[1:_limit]) as i(id) cross join lateral (select y.* from queues.process_state as y where y.process_id = i.id offset 0) as p) as x),
        _before, _scanned, (select p.created_at from queues.process_state as p where p.process_id = _before));
end
$$;
comment on function queues.list_processes(text, text, timestamptz, timestamptz, text, integer) is 'A page of supervised processes, newest first.';
