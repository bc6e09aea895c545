begin;
select plan(3);
select worker.enqueue('act') as id \gset
select throws_ok($$delete from worker.command_registry where command = 'act'$$, '55000', 'command "act" has open tasks', 'while a task is open');
select queues.cancel_task(:id);
select lives_ok($$delete from worker.command_registry where command = 'act'$$, 'then it may go');
select throws_ok($$select worker.enqueue('act')$$, '23503', 'command "act" is not registered', 'and is gone');
select * from finish();
rollback;
