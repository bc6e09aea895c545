-- internal.last_payloads(_task_ids)
-- The payload with which each of these tasks ran last: what a lease folded, or what a lease was given, otherwise its own payload with all
-- merges.
create or replace function internal.last_payloads(_task_ids bigint[]) returns table (task_id bigint, payload jsonb)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
    return query
    select t.task_id, coalesce(f.payload, l.payload, case when m.is_merged then internal.merged_payload(t.task_id, t.payload) else t.payload end)
    from queues.task as t
    left join lateral (select x.payload from queues.task_folded as x where x.task_id = t.task_id order by x.lease_no desc limit 1) as f on true
    left join lateral (select x.payload from queues.task_lease as x where x.task_id = t.task_id order by x.lease_no desc limit 1) as l on true
    left join lateral (select true as is_merged from queues.task_changed as x where x.task_id = t.task_id and x.reason = 'merge' limit 1) as m on true
    where t.task_id = any(_task_ids);
end
$$;
comment on function internal.last_payloads(bigint[]) is 'The payloads with which tasks ran last.';
