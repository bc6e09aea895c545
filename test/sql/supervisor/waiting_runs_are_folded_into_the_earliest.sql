begin;
select plan(3);
select test.process(1, 'thrice') as id \gset
select test.process_id(1) as process \gset
select test.enqueue('test.supervise', '{"id": 1}', now() + interval '5 s') as early \gset
select test.run(:id);
select is((select array_agg(task_id) from queues.ready where process_id = :process), array[:early]::bigint[], 'the earliest is kept');
select is((select count(*) from queues.task_completed as c join queues.task as t using (task_id) where t.process_id = :process and c.outcome = 'superseded'), 3::bigint, 'the others are superseded');
select is((select next_run_at from queues.process_run where process_id = :process), now() + interval '5 s', 'the run fact says when');
select * from finish();
rollback;
