begin;
select plan(10);
grant queues_operator to queues_runner;
select test.enqueue() as id \gset
select is(test.sqlstate_as('queues_operator', format('select queues.cancel_task(%s)', :id)), '00000', 'cancel');
select is(test.sqlstate_as('queues_operator', format('select queues.retry_task(%s)', :id)), '00000', 'retry');
select is(test.sqlstate_as('queues_operator', $$select queues.pause_queue('default')$$), '00000', 'pause');
select is(test.sqlstate_as('queues_operator', 'select * from queues.check()'), '00000', 'check');
select is(test.sqlstate_as('queues_operator', 'select * from queues.advise()'), '00000', 'advise');
select is(test.sqlstate_as('queues_operator', 'select * from queues.task_state'), '00000', 'look');
select is(test.sqlstate_as('queues_operator', 'select queues.prune()'), '42501', 'not prune');
select is(test.sqlstate_as('queues_operator', 'select queues.adopt_database()'), '42501', 'not adopt');
select is(test.sqlstate_as('queues_operator', $$select internal.set_config('notify', '"off"')$$), '42501', 'not change settings');
select is(test.sqlstate_as('queues_admin', $$select internal.set_config('notify', '"off"')$$), '00000', 'an administrator may');
select * from finish();
rollback;
