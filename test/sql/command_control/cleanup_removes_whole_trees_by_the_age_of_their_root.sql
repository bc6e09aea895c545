begin;
select plan(9);
create function test.age(_id bigint, _days integer) returns void language sql as $$
    update queues.task_completed set completed_at = completed_at - make_interval(days => _days) where task_id = _id $$;
select test.unguard('queues.task_completed');
select worker.enqueue('act', '{"children": [{"n": 1}, {"n": 2}]}') as old, worker.enqueue('act', '{"children": [{"n": 1}]}') as young,
       worker.enqueue('act', '{"children": [{"n": 1}, {"raise": "P0001"}]}') as failed, worker.enqueue('act', '{"children": [{"n": 1}]}') as cancelled, test.enqueue() as function \gset
call worker.process_tasks(p_batch_size => 5);
select queues.cancel_task((test.children(:cancelled))[1]); -- a failed child that never started
call worker.process_tasks();
select test.age(:old, 8), test.age(:failed, 8), test.age(:cancelled, 31), test.age(:function, 400);
select test.age(task_id, 40) from unnest(test.children(:young)) as task_id;
alter table queues.task_completed enable trigger user;
select worker.enqueue_task_cleanup() as id \gset
call worker.process_tasks();
select is(test.info(:id), '{"removed": 5}', 'the old tree and the one that failed long ago');
select is((select count(*) from queues.task where task_id = :old or parent_id = :old), 0::bigint, 'a tree goes whole');
select is((select count(*) from worker.task_parent where task_id in (:old, :cancelled)) + (select count(*) from worker.handler_done where task_id in (:old, :cancelled)), 0::bigint, 'with all that is known of it');
select is((select count(*) from queues.task where task_id = :young or parent_id = :young), 2::bigint, 'one with a young root stays, its old child too');
select is((select count(*) from queues.task where task_id = :failed or parent_id = :failed), 3::bigint, 'failures stay longer');
select is((select count(*) from queues.task where task_id = :function), 1::bigint, 'what is no command is not its business');
select is((select queue from worker.tasks where id = :id), 'maintenance', 'it ran among the upkeep');
select isnt(worker.enqueue_task_cleanup(), :id, 'and can run again');
select throws_ok('select worker.enqueue_task_cleanup(-1)', '22023', null, 'days are not negative');
select * from finish();
rollback;
