-- A filter that fits little stops after a bounded look, says how far back it came, and goes on from there.
begin;
select plan(8);
insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue) overriding system value
select n, 'noop', '{}', now() - make_interval(secs => 50000 - n), now() - make_interval(secs => 50000 - n), 'default' from generate_series(1, 50000) as n;
insert into queues.task_completed (task_id, completed_at, outcome)
select t.task_id, t.enqueued_at, case when t.task_id = 7 then 'in_doubt' else 'succeeded' end from queues.task as t where t.task_id <= 50000;
select queues.list_tasks(_task_type => 'http') as list \gset
select ok((:'list'::jsonb->>'scanned')::integer between 1000 and 21000, 'the look is bounded');
select is((:'list'::jsonb->>'cursor')::bigint, 50001 - (:'list'::jsonb->>'scanned')::bigint, 'the cursor is where it ended');
select is((:'list'::jsonb->>'looked_back_to')::timestamptz, (select completed_at from queues.task_completed where task_id = (:'list'::jsonb->>'cursor')::bigint), 'and when that was');
select is(:'list'::jsonb->'rows', '[]', 'nothing fits');
create function pg_temp.looks() returns integer language plpgsql as $$
declare
    _cursor text;
    _list jsonb;
begin
    for _look in 1..60 loop
        _list := queues.list_tasks(_outcome => 'succeeded', _until => now() - interval '49990 seconds', _cursor => _cursor, _limit => 1000);
        _cursor := _list->>'cursor';
        if _cursor is null then return jsonb_array_length(_list->'rows'); end if;
    end loop;
end $$;
select is(pg_temp.looks(), 8, 'it comes to the end');
select is(queues.list_tasks(_outcome => 'in_doubt')->'rows'->0->>'task_id', '7', 'a rare outcome is found at once');
select is(queues.list_tasks(_outcome => 'in_doubt')->>'cursor', null, 'to the end');
select is((queues.list_tasks(_outcome => 'in_doubt')->>'scanned')::integer, 1, 'by its index');
select * from finish();
rollback;
