begin;
select plan(1);
select internal.allow_function('test.supervise', 'supervisor');
select queues.enqueue('db_function', '{"db_function": "test.supervise", "task_type": "db_function", "run_count": 3, "error_handler": "test.error", "id": 1, "x": "y"}') as id \gset
select is((select ids from queues.process), '{"id": 1, "x": "y"}', 'what is left identifies it');
select * from finish();
rollback;
