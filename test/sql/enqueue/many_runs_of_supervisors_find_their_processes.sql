begin;
select plan(3);
select count(*) as n from queues.enqueue_many('db_function', array['{"db_function": "test.supervise", "id": 1}',
    '{"db_function": "test.supervise", "id": 2}', '{"db_function": "test.supervise", "id": 1}']::jsonb[]) \gset
select is(:n, 3, 'three runs');
select is((select count(*) from queues.process), 2::bigint, 'of two processes');
select is((select count(*) from queues.ready where is_supervisor_run), 3::bigint, 'all are runs');
select * from finish();
rollback;
