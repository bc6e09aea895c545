-- internal.hold_sibling(_parent_id)
-- Is there a waiting child of this parent that no other session holds?  If so, it stays locked until the end of this transaction.
-- It cannot be claimed before, so it ends after this transaction, and its own end looks at the parent.  It reads from the end,
-- because children are claimed from the front.
create or replace function internal.hold_sibling(_parent_id bigint) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
begin
    perform 1 from queues.ready as r
    where r.parent_id = _parent_id and r.phase is null
    order by r.task_id desc limit 1 for update skip locked;
    return found;
end
$$;
comment on function internal.hold_sibling(bigint) is 'Keeps a waiting child from being claimed before this transaction ends.';
