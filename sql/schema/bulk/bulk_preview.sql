-- internal.bulk_preview(_act_id)
-- What a preview answers: the number of frozen ids, how far back it looked, and examples.  cursor: there may be older things;
-- queues.extend_bulk goes on below this id.  Null: the search is complete.
create or replace function internal.bulk_preview(_act_id bigint)
    returns table (act_id bigint, counted bigint, scanned bigint, oldest_id bigint, oldest_at timestamptz, cursor bigint, examples jsonb)
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select _act_id, sum(s.found)::bigint, sum(s.scanned)::bigint, l.oldest_id, l.oldest_at, case when not l.is_end then l.oldest_id end,
           internal.bulk_examples(_act_id, 5)
    from queues.bulk_scan as s
    cross join (select x.* from queues.bulk_scan as x where x.act_id = _act_id order by x.scan_no desc limit 1) as l
    where s.act_id = _act_id
    group by l.oldest_id, l.oldest_at, l.is_end
$$;
comment on function internal.bulk_preview(bigint) is 'Count, reach and examples of an act.';
