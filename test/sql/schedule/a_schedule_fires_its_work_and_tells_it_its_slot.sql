begin;
select plan(13);
select queues.set_test_clock('2030-01-01 00:00+00');
select queues.schedule('task', '0 * * * *', 'db_function', '{"db_function": "test.ok", "n": 1}', _zone => 'UTC', _priority => 7, _timeout => '5 minutes', _max_attempts => 3);
select queues.schedule('function', '0 * * * *', _function => 'test.ok', _queue => 'maintenance', _zone => 'UTC');
select queues.schedule('command', '0 * * * *', _command => 'act', _payload => '{"x": 1}', _zone => 'UTC');
select queues.schedule('job', '0 * * * *', _job => '{"url": "https://example.com/x", "payload": {"a": 1}, "retry_limit": 3}', _zone => 'UTC');
select queues.schedule('job-function', '0 * * * *', _job => '{"url": "https://example.com/x", "job_type": "POST"}', _zone => 'UTC', _catch_up => 'skip');
select is(test.fire_at('2030-01-01 00:59:59+00'), 0, 'nothing is due');
select is(test.fire_at('2030-01-01 01:00:00.5+00'), 5, 'all are');
select is((select t.payload from queues.task as t where t.task_id = test.fired('task')),
          '{"n": 1, "db_function": "test.ok", "schedule_name": "task", "scheduled_for": "2030-01-01T01:00:00Z", "is_late": false, "is_backfill": false}',
          'the work is told its slot');
select results_eq($$select t.priority, t.timeout, a.max_attempts::integer from queues.task as t join queues.task_attempt as a using (task_id) where t.task_id = test.fired('task')$$,
                  $$values (7::bigint, interval '5 minutes', 3)$$, 'priority, timeout and policy are as for enqueue');
select is((select t.queue from queues.task as t where t.task_id = test.fired('function')), 'maintenance', 'so is the queue');
select is((select t.payload->>'scheduled_for' from queues.task as t where t.task_id = test.fired('command') and t.task_type = 'command'), '2030-01-01T01:00:00Z', 'a command');
select results_eq($$select j.payload, j.headers, j.retry_limit::integer from pgqueue.job_queue as j where j.task_id = test.fired('job')$$,
    $$values ('{"a": 1}'::jsonb, '{"Schedule-Name": "job", "Scheduled-For": "2030-01-01T01:00:00Z", "Schedule-Late": false, "Schedule-Backfill": false}'::jsonb, 3)$$,
    'an HTTP job has the slot in its headers');
select is(test.run(test.fired('task')), 'succeeded', 'the work runs');
select is(queues.fire_due(), 0, 'a slot fires once');
select is(test.fires('task'), 'on_time 01:00:00', 'and is a fact');
select is((select f.late from queues.schedule_fire as f where f.task_id = test.fired('task')), interval '0.5 seconds', 'which says how late');
select results_eq($$select s.next_fire, s.last_slot, s.last_outcome, s.usual_delay, s.state from queues.schedule_state as s where s.schedule_name = 'task'$$,
                  $$values (timestamptz '2030-01-01 02:00+00', timestamptz '2030-01-01 01:00+00', 'succeeded', interval '0.5 seconds', 'waiting')$$, 'the view tells all this');
select is(test.violations(), '', 'all agrees');
select * from finish();
rollback;
