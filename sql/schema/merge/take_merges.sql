-- internal.take_merges(_task_id, _lease_no, _priority)
-- Takes what was merged into a task and is committed by now, in the order in which it came; each
-- becomes a fact.  What is being taken by another session, or would make the payload larger than
-- any may be, is left.
create or replace function internal.take_merges(_task_id bigint, _lease_no integer, _priority bigint) returns jsonb[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _payloads jsonb[];
begin
    with mine as (
        select m.merge_id, sum(pg_column_size(m.payload)) over (order by m.merge_id) as bytes
        from (select x.merge_id, x.payload from queues.merging as x where x.task_id = _task_id
              for update skip locked) as m
    ), taken as (
        delete from queues.merging as m
        where m.task_id = _task_id and m.merge_id in (select x.merge_id from mine as x where x.bytes <= 16777216)
        returning m.*
    ), kept as (
        insert into queues.task_changed (task_id, change_no, changed_at, reason, payload, available_at, changed_by, priority, lease_no)
        select _task_id, coalesce((select max(c.change_no) from queues.task_changed as c where c.task_id = _task_id), 0)
                         + row_number() over (order by t.merge_id),
               t.merged_at, 'merge', t.payload, t.available_at, t.merged_by, _priority, _lease_no
        from taken as t
    )
    select array_agg(t.payload order by t.merge_id) into _payloads from taken as t;
    return _payloads;
end
$$;
comment on function internal.take_merges(bigint, integer, bigint) is 'Takes what was merged into a task.';
