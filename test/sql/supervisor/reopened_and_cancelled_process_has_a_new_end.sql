begin;
select plan(2);
select test.process(1, 'end') as first \gset
select test.run(:first);
select queues.enqueue('db_function', (select t.payload from queues.task as t where t.task_id = :first), now() + interval '1 hour') as second \gset
select queues.cancel_task(:second, 'not wanted');
select is((select array_agg(reason order by ended_at) from queues.process_ended)::text, '{succeeded,cancelled}', 'the second end says why');
select is((select end_reason from queues.process_state where process_id = test.process_id(1)), 'cancelled', 'and it is the one that is shown');
select * from finish();
rollback;
