begin;
select plan(6);
select queues.register_task_type('resize_image', 'program');
select queues.enqueue('resize_image', '{}') as id \gset
select test.dispatch(:id);
select ok(queues.report_progress(test.worker(), :id, 1, '{"done": 10}'), 'the holder reports');
select ok(not queues.report_progress(test.worker(), :id, 2, '{"done": 11}'), 'another lease does not');
select ok(not queues.report_progress(gen_random_uuid(), :id, 1, '{"done": 12}'), 'nor does another worker');
select ok(queues.report_progress(test.worker(), :id, 1, to_jsonb(repeat('x', 20000))), 'a long report');
select is((select array_agg(coalesce(progress->>'done', progress->>'truncated') order by reported_at) from queues.task_progress where task_id = :id),
          array['10', 'true'], 'is cut');
select throws_ok('select queues.report_progress(test.worker(), 1, 1, null)', '22004', null, 'null is no progress');
select * from finish();
rollback;
