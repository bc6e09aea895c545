-- What needs a person: each kind is found, and is gone when a person has seen to it.
begin;
select plan(8);
create function pg_temp.kinds() returns text[] language sql as $$
    select array_agg(e.key order by e.key) from jsonb_each(queues.attention()) as e where jsonb_array_length(e.value) > 0 $$;
select is(pg_temp.kinds(), null, 'nothing at first');
select queues.pause_queue('default');
select is(pg_temp.kinds(), array['paused'], 'a paused queue');
select queues.resume_queue('default');
select is(pg_temp.kinds(), null, 'is gone when it is resumed');
create temp table made as select queues.enqueue('noop', '{}') as id;
select is(pg_temp.kinds(), array['unserved'], 'a waiting type without a worker');
create temp table broken as select test.enqueue('test.raises') as id;
select isnt(test.run((select b.id from broken as b)), 'succeeded', 'a task fails');
select ok('failed' = any(pg_temp.kinds()), 'it is shown');
select is(queues.attention()->'failed', (select jsonb_build_array(jsonb_build_object('task_id', m.id)) from broken as m), 'by its id');
select queues.retry_task(m.id) from broken as m;
select ok(not 'failed' = any(pg_temp.kinds()), 'until it is retried');
select * from finish();
rollback;
