create temporary table test_task (name text primary key, task_id bigint) on commit drop;

-- Merge: a second command joins the one that waits, and both ids are handled once.
call pg_temp.handler_will('succeeded');
insert into test_task values ('merge', {{schema}}.enqueue_{{name}}('{2}'));
select is({{schema}}.enqueue_{{name}}('{1,2}'), t.task_id, 'the second command is merged into the first') from test_task as t where t.name = 'merge';
call worker.process_tasks();
select is(current_setting('test.handled'), '[1, 2]', 'both ids are handled, once');
select is(pg_temp.story(t.task_id), 'attempts: 1, succeeded', 'the command succeeds') from test_task as t where t.name = 'merge';

-- Delay: a command of the future waits.
insert into test_task values ('delay', {{schema}}.enqueue_{{name}}('{3}', queues.clock() + interval '1 hour'));
call worker.process_tasks(p_ahead => '59 minutes');
select is(pg_temp.story(t.task_id), 'attempts: 1, open', 'a command waits until its time') from test_task as t where t.name = 'delay';
call worker.process_tasks(p_ahead => '1 hour');
select is(pg_temp.story(t.task_id), 'attempts: 1, succeeded', 'then it runs') from test_task as t where t.name = 'delay';

-- Exhaustion: every attempt fails, and each failure is recorded.
call pg_temp.handler_will('failed');
insert into test_task values ('exhaustion', {{schema}}.enqueue_{{name}}('{4}'));
call worker.process_tasks(p_ahead => '20 years');
select is(pg_temp.story(t.task_id), 'attempts: {{attempts}}, failed', 'it gives up after {{attempts}} failure{{attempts_s}}')
from test_task as t where t.name = 'exhaustion';
select is(split_part(w.error, E'\n', 1), 'Error: no paper', 'the error is recorded')
from test_task as t join worker.tasks as w on w.id = t.task_id where t.name = 'exhaustion';

{{if retries}}
-- Retry: the attempt after a failure succeeds.
insert into test_task values ('retry', {{schema}}.enqueue_{{name}}('{5}'));
call worker.process_tasks();
select is(pg_temp.story(t.task_id), 'attempts: 2, open', 'an attempt follows a failure') from test_task as t where t.name = 'retry';
call pg_temp.handler_will('succeeded');
call worker.process_tasks(p_ahead => '20 years');
select is(pg_temp.story(t.task_id), 'attempts: 2, succeeded', 'a success after a failure ends it') from test_task as t where t.name = 'retry';
select is(current_setting('test.handled'), '[5]', 'the payload is handled once');
{{end}}
select * from finish();
rollback;
