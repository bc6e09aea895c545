begin;
select plan(6);
select worker.enqueue('act', '{"children": [{"n": 1}]}') as id, worker.enqueue('tree', '{"children": [{"n": 1}]}') as hooked, worker.enqueue('act', '{"children": [{"n": 1}]}') as alive \gset
select test.run_command(:id), test.run_command(:hooked), test.run_command(:alive);
select is(worker.rescue_waiting_parents(), 0, 'nothing to do while children are open');
-- Damage: the children end without a word to the parent.
with gone as (delete from queues.ready where parent_id in (:id, :hooked) returning task_id)
insert into queues.task_completed (task_id, completed_at, outcome) select task_id, now(), 'succeeded' from gone;
select is(test.violations(), 'parent_waits_for_children', 'the check sees it');
select is(worker.rescue_waiting_parents('trees'), 1, 'of one queue');
select is(worker.rescue_waiting_parents(), 1, 'of all');
select is(array[test.state(:id), test.state(:alive)], array['completed', 'waiting'], 'only those without children');
select is((select task_id from queues.claim(test.worker(), '{trees}')), :hooked, 'one with a hook is given to a worker');
select * from finish();
rollback;
