-- pgqueue.list_jobs(_status, _job_type, _url, _since, _until, _cursor, _limit)
-- A page of jobs, newest first (internal.list_answer).  _url: beginning of the URL, as the caller sees it.  Times are compared with
-- the last run, or with the time of the first. It reads pgqueue.job_queue with the rights of its caller, and changes nothing.
create or replace function pgqueue.list_jobs(_status text default null, _job_type text default null, _url text default null, _since timestamptz default null,
        _until timestamptz default null, _cursor text default null, _limit integer default 50) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _bounds constant record := internal.look_bounds(_limit);
    _began timestamptz;
    _before bigint;
    _scan integer;
    _look record;
    _rows jsonb := jsonb_build_array();
    _found integer := 0;
    _scanned bigint := 0;
begin
    perform internal.check_text('status', _status, 64), internal.check_text('type', _job_type, 64), internal.check_text('url', _url, 2048),
            internal.check_text('cursor', _cursor, 64);
    perform internal.check_word('status', _status, enum_range(null::pgqueue.job_status)::text[]), internal.check_word('type', _job_type, enum_range(null::pgqueue.job_type)::text[]);
    _before := internal.check_look(_since, _until, _limit, _cursor);
    _scan := least(_limit + 1, 1000);
    _began := clock_timestamp();
    loop
        with seen as materialized (
            select j.job_id, j.job_type, j.url, j.job_status, j.response_status, j.retry_count, j.run_at, j.last_at, j.created_at from pgqueue.job_queue as j
            where j.job_id < _before order by j.job_id desc limit _scan
        ), fitting as (
            select s.* from seen as s
            where (_status is null or s.job_status::text = _status) and (_job_type is null or s.job_type::text = _job_type)
              and (_url is null or starts_with(s.url, _url))
              and (_since is null or coalesce(s.last_at, s.run_at) >= _since) and (_until is null or coalesce(s.last_at, s.run_at) < _until)
            order by s.job_id desc limit _limit - _found + 1
        )
        select (select coalesce(jsonb_agg(to_jsonb(f.*) - 'created_at' order by f.job_id desc), '[]') from (select * from fitting limit _limit - _found) as f) as rows,
               (select count(*) from fitting) as found, (select count(*) from seen) as scanned, (select min(s.job_id) from seen as s) as oldest_id,
               (select min(f.job_id) from (select * from fitting limit _limit - _found) as f) as last_id
        into _look;
        _rows := _rows || _look.rows;
        _scanned := _scanned + _look.scanned;
        _found := _found + _look.found;
        if _found > _limit then
            _before := coalesce(_look.last_id, (_rows->-1->>'job_id')::bigint);
            exit;
        elsif _look.scanned < _scan then
            _before := null;
            exit;
        end if;
        _before := _look.oldest_id;
        exit when _scanned >= _bounds.most or _scanned >= 1000 and clock_timestamp() - _began > _bounds.longest;
        _scan := least(4 * _scan, 1000);
    end loop;
    return internal.list_answer(_rows, _before, _scanned, (select j.created_at from pgqueue.job_queue as j where j.job_id = _before));
end
$$;
comment on function pgqueue.list_jobs(text, text, text, timestamptz, timestamptz, text, integer) is 'A page of jobs, newest first.';
