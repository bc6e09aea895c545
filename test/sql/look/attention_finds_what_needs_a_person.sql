-- What needs a person: each kind is found, and is gone when a person has seen to it.
begin;
select plan(11);
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

-- A supervisor whose task fails: it decides what follows, as long as its process lives.
create function test.tries(_payload jsonb) returns jsonb language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if (select s.act from test.script as s where s.id = (_payload->>'id')::bigint) = 'end' then
        return '{"status": "succeeded"}';
    end if;
    perform queues.enqueue('db_function', '{"db_function": "test.raises"}');
    perform queues.enqueue('db_function', _payload, queues.clock() + interval '10 seconds');
    return '{"status": "scheduled"}';
end
$$;
select internal.allow_function('test.tries', 'supervisor', _process_keys => array['id']);
select test.run(test.process(4, 'try', 'test.tries'));
select test.run(r.task_id) from queues.ready as r where r.process_id = test.process_id(4, 'test.tries') and r.is_supervisor_run is not true;
select is(jsonb_array_length(queues.attention()->'failed'), 0, 'a failed task is the business of its supervisor');
select queues.end_process(test.process_id(4, 'test.tries'), 'nobody wants it');
select is(jsonb_array_length(queues.attention()->'failed'), 1, 'until the process ends without success');
update test.script set act = 'end' where id = 4;
select queues.revive_process(test.process_id(4, 'test.tries'));
select test.run_ticks(test.process_id(4, 'test.tries'), 1);
select is(jsonb_array_length(queues.attention()->'failed'), 0, 'and no more when it has succeeded');
select * from finish();
rollback;
