begin;
select plan(4);
\set a '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
select test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as done, test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as open \gset
select test.run(:done);
select is(queues.prune(interval '0'), 1::bigint, 'retention removes a task');
select is((select array_agg(task_id) from queues.task_trace), array[:open]::bigint[], 'and its trace');
select is(test.sqlstate_as('queues_owner', 'delete from queues.task_trace'), '42501', 'nobody else removes one');
select is(test.sqlstate_as('queues_observer', 'select * from queues.task_trace'), '42501', 'observers do not read them');
select * from finish();
rollback;
