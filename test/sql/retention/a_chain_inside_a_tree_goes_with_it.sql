-- A child that was tried three times, below a parent: nothing of it goes before the tree, and all of it goes with the tree.
begin;
select plan(6);
select worker.enqueue('act', '{}') as parent \gset
select worker.spawn('act', '{"succeeds_at": 3}', :parent, p_max_attempts => 3, p_backoff => '[0, 0]') as child \gset
select test.run_command(:parent);
select test.run_command(:child);
select test.run_command(internal.last_attempt(:child));
select test.unguard('queues.task_completed');
update queues.task_completed set completed_at = completed_at - interval '100 days';
select is(queues.prune(interval '90 days'), 0::bigint, 'attempts of a child stay while its tree goes on');
select test.run_command(internal.last_attempt(:child));
select is(test.outcome(:parent), 'succeeded', 'the third attempt ends the tree');
update queues.task_completed set completed_at = now() - interval '100 days' where task_id <> :parent;
select is(queues.prune(interval '90 days'), 0::bigint, 'a tree counts by its root');
update queues.task_completed set completed_at = now() - interval '100 days';
select is(queues.prune(interval '90 days', 1), 4::bigint, 'the tree goes with all attempts, all at once');
select is((select count(*) from queues.task), 0::bigint, 'nothing is left');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
