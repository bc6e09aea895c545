begin;
select plan(20);
create function pg_temp.trace(_id bigint) returns text language sql as $$ select concat_ws(' ', traceparent, follows) from queues.task_trace where task_id = _id $$;
create function pg_temp.newest() returns bigint language sql as $$ select max(task_id) from queues.task $$;
\set a '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
\set b '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222-01'
-- Attempts by a policy, and by hand.
select queues.enqueue('db_function', jsonb_build_object('db_function', 'test.raises', 'traceparent', :'a'), _max_attempts => 3) as one \gset
select test.run(:one);
select internal.last_attempt(:one) as two \gset
select is(pg_temp.trace(:two), :'a' || ' ' || :one, 'the next attempt');
select test.run(:two);
select internal.last_attempt(:one) as three \gset
select is(pg_temp.trace(:three), :'a' || ' ' || :two, 'and the one after it');
select test.run(:three);
select set_config('reeve.traceparent', :'b', true);
select is(pg_temp.trace(queues.retry_task(:three)), :'a' || ' ' || :three, 'a retry by hand, whatever the session of the operator says');
select set_config('reeve.traceparent', :'a', true);
select test.job(_retry_limit => 3) as job \gset
select set_config('reeve.traceparent', '', true);
select task_id as run from pgqueue.job_run where job_id = :job \gset
select test.answer_job(:job, 429);
select is(pg_temp.trace(pg_temp.newest()), :'a' || ' ' || :run, 'the next run of a job');
select pgqueue.retry_job(:job);
select is((select pg_temp.trace(task_id) from pgqueue.job_run where job_id = :job and job_run = 3),
    (select :'a' || ' ' || task_id from pgqueue.job_run where job_id = :job and job_run = 2), 'a job that is started again');
select task_id as run from pgqueue.job_run where job_id = :job and job_run = 3 \gset
select test.answer_job(:job, 201, '{}', '{"url": "https://example.org/next"}');
select is(pg_temp.trace(pg_temp.newest()), :'a' || ' ' || :run, 'a job that an answer asks for');
select is(pg_temp.trace(queues.enqueue('noop', '{}')), null, 'the setting is gone');

-- What a run enqueues.
select test.enqueue('test.spawns', jsonb_build_object('traceparent', :'a')) as parent \gset
select test.run(:parent);
select is(pg_temp.trace(pg_temp.newest()), :'a' || ' ' || :parent, 'a task that a function enqueues');
select test.run(test.enqueue('test.spawns'));
select is(pg_temp.trace(pg_temp.newest()), null, 'a function without a trace gives none');
create function test.spawns_with(_payload jsonb) returns jsonb language plpgsql as $$
begin
    perform set_config('reeve.traceparent', '00-cccccccccccccccccccccccccccccccc-3333333333333333-01', true);
    perform queues.enqueue('noop', _payload->'inner', _timeout => '1 s'), queues.enqueue_many('noop', array[_payload->'inner']);
    return '{"status": "succeeded"}';
end $$;
select internal.allow_function('test.spawns_with', 'task');
grant queues_enqueuer to worker_service_user;
select test.enqueue('test.spawns_with', jsonb_build_object('traceparent', :'a', 'inner', jsonb_build_object('traceparent', :'b'))) as own \gset
select test.run(:own);
select is(pg_temp.trace(pg_temp.newest()) || pg_temp.trace(pg_temp.newest() - 1), :'b' || :'b', 'the field of a task wins over the trace of the run');
select set_config('reeve.traceparent', '', true);
select test.enqueue('test.spawns_with', jsonb_build_object('inner', '{}'::jsonb)) as left_behind \gset
select test.run(:left_behind);
select is((select count(*) from queues.task_trace where task_id > :left_behind), 0::bigint, 'inside a run the setting is not read');
select test.enqueue('test.spawns_with', jsonb_build_object('traceparent', :'a', 'inner', '{}'::jsonb)) as many \gset
select test.run(:many);
select is(pg_temp.trace(pg_temp.newest()) || pg_temp.trace(pg_temp.newest() - 1), repeat(:'a' || ' ' || :many, 2), 'all ways to enqueue continue the trace of the run');
select set_config('reeve.traceparent', '', true);
select worker.enqueue('tree', jsonb_build_object('traceparent', :'a', 'children', '[{}, {}]'::jsonb, 'top', '{}'::jsonb)) as tree \gset
select test.run_command(:tree);
select is((select count(*) from queues.task_trace where follows = :tree and traceparent = :'a'), 3::bigint, 'commands that a command enqueues, as children and beside');

-- A supervised process.
select set_config('reeve.traceparent', :'a', true);
select test.process(7, 'spawn') as tick \gset
select set_config('reeve.traceparent', '', true);
select test.run_ticks(test.process_id(7), 3);
select is((select count(*) from queues.task where process_id = test.process_id(7)), 7::bigint, 'a process of several tasks');
select is((select count(*) from queues.task join queues.task_trace as x using (task_id) where process_id = test.process_id(7) and x.traceparent = :'a'), 7::bigint, 'is one trace');
select is((select count(*) from queues.task as t join queues.task_trace as x using (task_id) where process_id = test.process_id(7) and x.follows = t.origin_task_id), 6::bigint, 'in which each follows the run that enqueued it');

-- A before handler and a success handler are runs, too.
create function test.before_spawns(_payload jsonb) returns jsonb language plpgsql as $$
begin
    perform queues.enqueue('noop', '{}');
    return jsonb_build_object('status', 'succeeded', 'payload', '{"from_address": "a@x", "to_address": "b@x", "subject": "s", "html": "h"}'::jsonb);
end $$;
select internal.allow_function('test.before_spawns', 'before'), internal.allow_function('test.spawns', 'success');
select test.enqueue_email(jsonb_build_object('before_handler', 'test.before_spawns', 'success_handler', 'test.spawns', 'traceparent', :'a')) as mail \gset
select is(test.dispatch(:mail), 'send', 'a call is announced');
select is(pg_temp.trace(pg_temp.newest()), :'a' || ' ' || :mail, 'its before handler continues its trace');
select queues.finish(test.worker(), :mail, 1, 'succeeded', '{}');
select is(pg_temp.trace(pg_temp.newest()), :'a' || ' ' || :mail, 'and so does its success handler');

select is((select count(*) from queues.task_trace as x left join queues.task as t using (task_id) where t.task_id is null), 0::bigint, 'each trace has its task');
select * from finish();
rollback;
