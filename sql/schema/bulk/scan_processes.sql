-- internal.scan_processes(_act, _before, _scan)
-- One bounded look at processes below an id, newest first: the ended ones that the filter of an act fits.  Without an outcome, those
-- that ended early.
create or replace function internal.scan_processes(_act queues.bulk_act, _before bigint, _scan integer,
        out ids bigint[], out scanned bigint, out oldest_id bigint, out oldest_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
begin
    with seen as materialized (
        select p.process_id, p.supervisor, p.created_at from queues.process as p where p.process_id < _before order by p.process_id desc limit _scan
    ), fitting as (
        select s.process_id from seen as s
        cross join lateral (select x.reason, x.message, x.ended_at from queues.process_ended as x where x.process_id = s.process_id
                            order by x.run_no desc, x.ended_at desc limit 1) as e
        where (_act.type is null or s.supervisor = _act.type)
          and case when _act.outcome is null then e.reason in ('supervisor_failed', 'run_limit', 'quarantined') else e.reason = _act.outcome end
          and (_act.since is null or e.ended_at >= _act.since) and (_act.until is null or e.ended_at < _act.until)
          and (_act.error_like is null or e.message like _act.error_like) and not internal.is_live(s.process_id)
    )
    select (select array_agg(f.process_id) from fitting as f), (select count(*) from seen), (select min(s.process_id) from seen as s) into ids, scanned, oldest_id;
    select p.created_at into oldest_at from queues.process as p where p.process_id = oldest_id;
end
$$;
comment on function internal.scan_processes(queues.bulk_act, bigint, integer) is 'A bounded look at processes, newest first.';
