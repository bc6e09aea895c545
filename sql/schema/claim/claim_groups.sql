-- internal.claim_groups(_holder_id, ..., _single, _with_times)
-- The claim itself, for a holder; queues.claim explains the idea.  Tasks that are alike share a row, because a row per task would
-- cost as much as its lease.  places: the position of each task in the order of this claim, from 1.  last_at: the time of the last
-- task in that order; first_at: the earliest time of its tasks.  _single: for the documented dequeue, which runs no handlers and takes no reserved types.  _with_times:
-- return the time of each task.
create or replace function internal.claim_groups(_holder_id integer, _queues text[], _types text[], _limit integer,
        _lease interval, _hints jsonb, _limits internal.claim_limits, _take_back boolean, _single boolean, _with_times boolean)
    returns table (task_ids bigint[], lease_nos integer[], places integer[], times timestamptz[], last_at timestamptz,
                   task_type text, adapter text, queue text, priority bigint, mode text, timeout interval,
                   expires_at timestamptz, crash_count integer, run_alone boolean, destination text, is_retry boolean,
                   has_parent boolean, first_at timestamptz)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set enable_material = off set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
    _now timestamptz := clock_timestamp();
    _type_ids smallint[];
    _variant_ids smallint[];
    _queue record;
    _limited integer[] := array[]::integer[];
    _lanes internal.lane[] := array[]::internal.lane[];
    _since constant timestamptz := case when _hints ? '*'
                                        then _now - make_interval(secs => (_hints->>'*')::double precision) else '-infinity' end;
    _behind internal.lane[];
    _lane internal.lane;
    _wanted integer := 0;
    _rows tid[] := array[]::tid[];
    _taken tid[];
    _has_suspect boolean := false;
    _suspects boolean;
begin
    perform internal.require_read_committed('claim');
    if _limit is null or _limit < 1 or _limit > 1000 then
        raise exception using errcode = '22023', message = format('limit %s is not between 1 and 1000', coalesce(_limit::text, 'null'));
    end if;
    if _lease is null or _lease < interval '1 second' or _lease > interval '24 hours' then
        raise exception using errcode = '22023',
            message = format('lease "%s" is not between 1 second and 24 hours', coalesce(_lease::text, 'null'));
    end if;
    if _holder_id is null or not exists (select 1 from queues.holder as h
            where h.holder_id = _holder_id and h.backend_pid = pg_backend_pid() and h.leased_by = session_user) then
        raise exception using errcode = '42501', message = 'holder is not this session';
    end if;
    if _single and exists (select 1 from queues.registered_task_type as t where t.task_type = any(_types) and t.is_reserved) then
        raise exception using errcode = '22023', message = 'commands and jobs cannot be dequeued',
            detail = 'They end with more than a completion.', hint = 'reeve work and worker.process_tasks run them.';
    end if;
    _limits.skipped := coalesce(_limits.skipped, '{}');
    _limits.skipped_retries := coalesce(_limits.skipped_retries, '{}');
    if _take_back then
        perform internal.take_back(_now);
        if exists (select 1 from queues.merging) then
            perform internal.rehome_merges();
        end if;
    end if;
    select array_agg(t.type_id), array_agg(t.type_id) filter (where t.variant_key is not null) into _type_ids, _variant_ids
    from queues.registered_task_type as t
    where (_types is null or t.task_type = any(_types)) and not (_single and t.is_reserved);

    for _queue in
        select q.queue_id, q.queue, q.max_running, q.top_level_limit,
               -- Tasks that waited for room, or for the end of a pause, may be older.
               case when q.max_running is null and q.top_level_limit is null
                         and (q.paused_until is null or q.paused_until < _since) then _since else '-infinity' end as since
        from queues.queue as q
        where (_queues is null or q.queue = any(_queues))
          and (q.paused_until is null or q.paused_until <= _now)
          -- An empty queue costs one probe.
          and (_hints ? q.queue or (select true from queues.ready as r where r.queue_id = q.queue_id limit 1))
        order by q.queue_id
    loop
        if _queue.max_running is not null or _queue.top_level_limit is not null then
            _limited := _limited || _queue.queue_id;
        end if;
        _lanes := _lanes || internal.claim_lanes(_queue.queue_id, _queue.max_running, _queue.top_level_limit, _type_ids,
                                                 _limits, _single, _hints->_queue.queue, _queue.since, _now, _limit);
    end loop;
    if cardinality(_lanes) > 1 then
        -- A lane with less room than the limit shares its room with other lanes of its queue: one pass is enough.
        _behind := (select array_agg(l order by l.priority, l.queue_id) from unnest(_lanes) as l where l.room >= _limit);
        _lanes := internal.share_limit(_lanes, _type_ids, _limits, _single, _now, _limit);
        _wanted := (select sum(l.room) from unnest(_lanes) as l);
    end if;

    for _pass in 1 .. 2 loop
        foreach _lane in array _lanes loop
            exit when cardinality(_rows) >= _limit;
            select array_agg(l.ctid), bool_or(l.crash_count > 1) into _taken, _suspects
            from (select r.ctid, r.crash_count from queues.ready as r
                  where r.queue_id = _lane.queue_id and r.priority = _lane.priority
                    and (r.available_at, r.task_id) > (_lane.starts_at, _lane.after_id) and r.available_at <= _now
                    and r.type_id = any(_type_ids)
                    and (not _lane.only_children or r.parent_id is not null or r.phase = 'h')
                    and (not _lane.only_top or (r.parent_id is null and r.phase is distinct from 'h'))
                    and (not _lane.begun_first or r.lease_no > 0)
                    and (r.destination is null and _limits.skips_unknown is not true or r.destination <> all(_limits.skipped)
                         and (r.is_retry is null or r.destination <> all(_limits.skipped_retries)))
                    and not (_single and r.phase is not null)
                    and (_pass = 1 or r.ctid <> all(_rows))
                    -- failpoint: claim.in_scan
                  order by r.available_at, r.task_id
                  limit least(_lane.room, _limit - cardinality(_rows))
                  for update skip locked) as l;
            _rows := _rows || coalesce(_taken, '{}');
            _has_suspect := _has_suspect or coalesce(_suspects, false);
        end loop;
        -- Other sessions hold rows that the shares counted on: scan once more, for the rows behind them.
        exit when cardinality(_rows) >= coalesce(_wanted, 0) or _behind is null;
        _lanes := _behind;
    end loop;
    if cardinality(_rows) = 0 then
        return;
    end if;
    if _has_suspect then
        _rows := internal.without_suspects(_rows);
    end if;

    if _limits.destinations is not null or _limits.other_room is not null then
        _rows := internal.within_destinations(_rows, _limits);
    end if;
    if internal.text_setting('notify_task_changes') = 'true' then
        perform internal.notify_changed(array(select r.task_id from queues.ready as r where r.ctid = any(_rows)));
    end if;
    -- failpoint: claim.after_lock
    _now := greatest(_now, clock_timestamp()); -- if the clock was set back meanwhile, it would be before the time of a due task
    return query
        with gone as (
            delete from queues.ready as r where r.ctid = any(_rows) returning r.*
        ), leased as (
            insert into queues.running (task_id, lease_no, holder_id, queue_id, priority, leased_at, expires_at, type_id,
                is_limited, phase, crash_count, retry_count, handler_failures, max_crashes, is_supervisor_run, process_id,
                parent_id, timeout, destination, payload, is_retry)
            select g.task_id, g.lease_no + 1, _holder_id, g.queue_id, g.priority, _now, _now + _lease, g.type_id,
                case when g.queue_id = any(_limited) then true end,
                g.phase, g.crash_count, g.retry_count, g.handler_failures, g.max_crashes, g.is_supervisor_run, g.process_id,
                g.parent_id, g.timeout, g.destination, g.payload, g.is_retry
            from gone as g
            -- failpoint: claim.after_delete
        ), fact as (
            insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id, payload)
            select g.task_id, _now, _now + _lease, g.lease_no + 1, _holder_id, g.payload from gone as g
        ), placed as (
            select g.*, case when g.type_id = any(_variant_ids)
                             then (select x.payload->>y.variant_key from queues.task as x, queues.registered_task_type as y
                                   where x.task_id = g.task_id and y.type_id = g.type_id) end as variant,
                   row_number() over (order by g.priority, g.available_at, g.task_id)::integer as place
            from gone as g
        ), alike as (
            select p.queue_id, p.type_id, p.priority, p.phase, p.crash_count, p.timeout, p.destination, p.is_retry, p.variant,
                   p.parent_id is not null as has_parent,
                   array_agg(p.task_id) as task_ids, array_agg(p.lease_no + 1) as lease_nos, array_agg(p.place) as places,
                   array_agg(p.available_at) filter (where _with_times) as times, max(p.available_at) as last_at, min(p.available_at) as first_at,
                   max(p.place) as last_place
            from placed as p
            group by p.queue_id, p.type_id, p.priority, p.phase, p.crash_count, p.timeout, p.destination, p.is_retry, p.variant,
                     p.parent_id is not null
        )
        select a.task_ids, a.lease_nos, a.places, a.times, a.last_at, t.task_type::text, t.adapter, q.queue, a.priority,
               case when t.kind in ('call', 'nothing') and a.phase = 'h' then 'handler'
                    when t.kind = 'call' then 'dispatch'
                    when t.kind = 'nothing' then 'complete'
                    when v.is_prepared and a.phase is null then 'prepare' else 'execute' end,
               coalesce(a.timeout, v.timeout, t.timeout), _now + _lease, coalesce(a.crash_count, 0)::integer,
               -- Prepared work of a queue with a limit runs side by side, not one after the other in a batch.
               coalesce(a.crash_count > 0 or coalesce(a.timeout, v.timeout) is not null
                        or t.kind = 'prepared' and a.queue_id = any(_limited), false), a.destination, a.is_retry, a.has_parent, a.first_at
        from alike as a
        join queues.registered_task_type as t on t.type_id = a.type_id
        join queues.queue as q on q.queue_id = a.queue_id
        left join internal.task_variant as v on v.type_id = a.type_id and v.variant = a.variant
        order by a.last_place;
end
$$;
comment on function internal.claim_groups(integer, text[], text[], integer, interval, jsonb, internal.claim_limits, boolean, boolean, boolean) is
    'Leases due tasks for a holder; tasks that are alike share a row.';
