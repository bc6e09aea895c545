-- internal.hold_sibling(_parent_id)
-- Is there a child of this parent that waits and that nobody else holds?  If so it is held until
-- the end of this transaction: it cannot be claimed before, so it ends after us, and whoever ends
-- it will look at the parent then.  From the end: children are claimed from the front.
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
