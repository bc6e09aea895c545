-- Who may not enqueue a function or command may not change a task of it that exists: not by merging, replacing, adding a
-- child or waking.
begin;
select plan(16);
set local client_min_messages = error;
create role test_boss;
create role test_clerk;
grant queues_enqueuer to test_boss, test_clerk;
select internal.allow_function('test.ok', 'task', _enqueuers => '{test_boss}'), internal.allow_function('test.answer', 'task'),
       internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id'], _enqueuers => '{test_boss}');
select worker.register_command('boss', 'test.plain', 'default', p_dedup_keys => '{}', p_dedup_policy => 'replace', p_enqueuers => '{test_boss}'),
       worker.register_command('any', 'test.plain', 'default');
select test.process(5, 'again') as tick \gset
set local role test_boss;
select queues.enqueue('db_function', '{"db_function": "test.ok", "amount": 1}', _dedup_key => 'k') as id, worker.enqueue('boss', '{"amount": 1}') as command \gset
reset role;
create temp table was as select * from queues.ready;
select is(test.sqlstate_as('test_clerk', format($$select queues.enqueue('db_function', '{"db_function": %s, "amount": 9}', _dedup_key => 'k', _dedup_policy => %L)$$, f, p)), s, p || ' with ' || f)
from (values ('"test.ok"', 'merge', '42501'), ('"test.ok"', 'replace', '42501'), ('"test.answer"', 'merge', '42501'), ('"test.answer"', 'replace', '42501'),
             ('"test.answer"', 'skip', '00000')) as x(f, p, s);
select is(test.sqlstate_as('test_clerk', $$select queues.enqueue('noop', '{"amount": 9}', _queue => 'default', _dedup_key => 'k', _dedup_policy => 'merge')$$), '42501', 'merge by another type');
select is(test.sqlstate_as('test_clerk', format($$select queues.enqueue('noop', '{"command": "any"}', _queue => 'default', _dedup_key => %L, _dedup_policy => %L)$$, (select dedup_key from queues.ready where task_id = :command), p)), '42501', p || ' a command by its key')
from unnest(array['merge', 'replace']) as p;
select is(test.sqlstate_as('test_clerk', $$select worker.enqueue('boss', '{"amount": 9}')$$), '42501', 'the command itself');
select is(test.sqlstate_as('test_clerk', format($$select worker.spawn('any', '{}', %s)$$, :command)), '42501', 'a child of it');
select is(test.sqlstate_as('test_clerk', format($$insert into worker.tasks (command, parent_id) values ('any', %s)$$, :command)), '42501', 'a child by the view');
select is(test.sqlstate_as('test_clerk', $$select queues.wake_process('test.supervise', '{"id": 5}')$$), '42501', 'a wake');
select is(test.sqlstate_as('test_clerk', $$select worker.enqueue('task_cleanup', '{"completed_days": 0, "failed_days": 0}')$$), '42501', 'and nobody who only enqueues removes history');
select is_empty('select * from was except select * from queues.ready', 'nothing has changed');
-- Who may, may; and a merge does not smuggle in another name.
set local role test_boss;
select queues.enqueue('db_function', '{"db_function": "test.ok", "amount": 2}', _dedup_key => 'k', _dedup_policy => 'merge') as same \gset
reset role;
select is(:same, :id, 'its own role merges');
select is(test.sqlstate_as('test_boss', $$select queues.enqueue('noop', '{"n": 1}', _queue => 'default', _dedup_key => 'k', _dedup_policy => 'merge')$$), '22023', 'but not another type');
select * from finish();
rollback;
