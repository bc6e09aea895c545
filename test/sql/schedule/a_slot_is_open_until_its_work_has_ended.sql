begin;
select plan(11);
create function pg_temp.outcome(_name text) returns text language sql as $$ select last_outcome from queues.schedule_state where schedule_name = $1 $$;
create function test.kick(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform test.process(77, 'again');
    return '{"status": "succeeded"}';
end $$;
select internal.allow_function('test.kick', 'task');
select queues.set_test_clock('2030-01-01 00:00:30+00');
select queues.schedule('retried', '* * * * *', _function => 'test.raises', _max_attempts => 2, _zone => 'UTC');
select queues.schedule('tree', '* * * * *', _command => 'tree', _payload => '{"children": [{}]}', _zone => 'UTC');
select queues.schedule('job', '* * * * *', _job => '{"url": "https://example.com/x"}', _zone => 'UTC');
select queues.schedule('process', '* * * * *', _function => 'test.supervise', _payload => '{"id": 78}', _zone => 'UTC');
select queues.schedule('kickoff', '* * * * *', _function => 'test.kick', _zone => 'UTC');
insert into test.script (id, act) values (78, 'again');
select test.fire_at('2030-01-01 00:01+00');
select test.run(test.fired('retried'));
select is(pg_temp.outcome('retried'), 'open', 'a chain of attempts is open after its first failure');
select test.run(internal.last_attempt(test.fired('retried')));
select is(pg_temp.outcome('retried'), 'failed', 'and ends with its last attempt');
select test.run_command(test.fired('tree'));
select is(pg_temp.outcome('tree'), 'open', 'a tree is open while a child is');
select test.run_command(c) from unnest(test.children(test.fired('tree'))) as c;
select test.run_command(test.fired('tree')); -- its after hook
select is(pg_temp.outcome('tree'), 'succeeded', 'and ends with its root');
select job_id from pgqueue.job_queue where task_id = test.fired('job') \gset
select is(test.answer_job(:job_id, 429) is not null, true, 'the job is answered with 429');
select is(pg_temp.outcome('job'), 'open', 'a job is open until its last run');
select test.answer_job(:job_id, 200);
select is(pg_temp.outcome('job'), 'succeeded', 'and ends with its answer');
select test.run(test.fired('process'));
select is(pg_temp.outcome('process'), 'open', 'a process is open while it has a run');
select test.run(test.fired('kickoff'));
select is(pg_temp.outcome('kickoff'), 'open', 'so is a slot whose work started one');
select queues.end_process(test.process_id(78), 'enough'), queues.end_process(test.process_id(77), 'enough');
select is(pg_temp.outcome('process'), 'process failed', 'its end is that of the slot');
select test.fire_at('2030-01-01 00:02+00');
select is(test.fires('kickoff'), 'on_time 00:01:00, on_time 00:02:00', 'then the next slot is fired');
select * from finish();
rollback;
