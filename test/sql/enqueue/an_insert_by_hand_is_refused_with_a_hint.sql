begin;
select plan(4);
select throws_ok($$insert into queues.task (task_type, payload) values ('db_function', '{"db_function": "test.ok"}')$$, '0A000', 'a task is not made by an insert into queues.task', 'as the documents of other queues do it');
select throws_ok($$insert into queues.task (task_type, payload, queue, scheduled_at) values ('noop', '{}', 'default', now())$$, '0A000', null, 'with a queue and a time');
select isnt(queues.enqueue('noop', '{}'), null, 'the function makes one');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
