begin;
select plan(6);
select worker.enqueue('act', '{"n": 1}', now() + interval '1 h', 5) as a \gset
select worker.spawn('act', '{"n": 1}', p_priority => 5, p_scheduled_at => now() + interval '1 h') as b \gset
insert into worker.tasks (command, payload, priority, scheduled_at) values ('act', '{"n": 1}', 5, now() + interval '1 h') returning id as c \gset
select is((select count(distinct (t.command, t.payload, t.priority, t.scheduled_at, t.queue, t.state, t.depth)) from worker.tasks as t where t.id in (:a, :b, :c)), 1::bigint, 'all three look the same');
select is((select payload from worker.tasks where id = :a), '{"n": 1, "command": "act"}', 'the payload names the command');
select is((select task_type::text from queues.task where task_id = :c), 'command', 'they are tasks of type command');
select is((select scheduled_at from worker.tasks where id = worker.enqueue('act')), null, 'a time that was not given is not shown');
select lives_ok($$insert into worker.tasks (command) values ('act') on conflict do nothing$$, 'on conflict do nothing is harmless');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
