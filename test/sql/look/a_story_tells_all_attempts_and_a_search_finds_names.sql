-- The story of a task has every fact, of all attempts; a search finds ids and names of every kind.
begin;
select plan(16);
set local client_min_messages = error;
select internal.allow_function('test.raises');
select test.enqueue('test.raises') as id \gset
select test.run(:id);
select is((select array_agg(s.event order by n) from queues.task_story(:id) with ordinality as s(attempt, task_id, at, event, detail, n)), array['enqueued', 'lease 1', 'error', 'completed'], 'in the order of time');
select is((select array_agg(distinct s.attempt) from queues.task_story(:id) as s), array[null]::integer[], 'without a policy there are no attempts');
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 2, _backoff => '["1 second"]') as first \gset
select test.run(:first);
select max(task_id) as second from queues.task \gset
select queues.reschedule_task(:second, now()), test.run(:second);
select is((select array_agg(distinct s.attempt order by s.attempt) from queues.task_story(:second) as s), array[1, 2], 'all attempts');
select is((select count(*) from queues.task_story(:first)), (select count(*) from queues.task_story(:second)), 'whichever is asked for');
select is((select count(*) from queues.task_story(-1)), 0::bigint, 'no task has no story');
select is((select count(*) from queues.task_story(null)), 0::bigint, 'nor has none');
select is((select array_agg(f.kind || ' ' || f.title) from queues.find(' ' || :'id') as f where f.kind = 'task'), array['task db_function in default, completed'], 'a task by its id');
select is((select array_agg(f.kind) from queues.find('task:' || :'id') as f), array['task'], 'with its kind');
select is((select count(*) from queues.find('job:' || :'id')), 0::bigint, 'not as another kind');
select is((select array_agg(f.id) from queues.find('DEF') as f where f.kind = 'queue'), array['default'], 'a queue by the begin of its name');
select is((select array_agg(f.kind) from queues.find('task_cl') as f), array['command'], 'a command');
select is((select array_agg(f.kind) from queues.find('db_fun') as f), array['type'], 'a type');
select is((select array_agg(f.id) from queues.find(test.worker()::text) as f), array[test.worker()::text], 'a worker');
insert into pgqueue.job_queue (url) values ('https://user:canary@x.invalid/canary');
select is((select f.title from queues.find('job:' || (select max(job_id) from pgqueue.job)) as f), 'POST https://x.invalid/...', 'a job, without the path of its URL');
select is((select count(*) from queues.find('')) + (select count(*) from queues.find(null)), 0::bigint, 'nothing has no name');
select is((select count(*) from queues.find('%')), 0::bigint, 'a pattern is a text');
select * from finish();
rollback;
