begin;
select plan(15);
select worker.enqueue('act') as done, worker.enqueue('act') as open \gset
select test.run_command(:done);
select test.enqueue() as function \gset
select throws_ok($$select worker.enqueue(null)$$, '22004', null, 'no command');
select throws_ok($$select worker.enqueue('nothing')$$, '23503', 'command "nothing" is not registered', 'an unknown one');
select throws_ok($$select worker.enqueue('act', '[]')$$, '22023', null, 'a payload that is no object');
select lives_ok($$select worker.enqueue('act', null)$$, 'none at all is fine');
select throws_ok($$select worker.enqueue('act', '{"command": "plain"}')$$, '23514', null, 'a payload for another command');
select lives_ok($$select worker.enqueue('act', '{"command": "act"}')$$, 'it may name its own');
select throws_ok($$select worker.enqueue('act', '{}', 'infinity')$$, '22008', null, 'a time that never comes');
select throws_ok($$select worker.enqueue('act', jsonb_build_object('a', repeat('x', 2000000)))$$, '54000', null, 'a payload that is too large');
select throws_ok($$select worker.spawn('act', '{}', 999999999)$$, '23503', 'parent task 999999999 does not exist', 'an unknown parent');
select throws_ok(format('select worker.spawn(''act'', ''{}'', %s)', :done), '55000', format('parent task %s is completed', :done), 'a parent that has ended');
select throws_ok(format('select worker.spawn(''act'', ''{}'', %s)', :function), '22023', null, 'a parent that is no command');
select throws_ok($$select worker.spawn('act', p_child_mode => 'serial')$$, '22023', null, 'a mode without a parent');
select throws_ok($$insert into worker.tasks (command, state) values ('act', 'completed')$$, '0A000', null, 'a column that is not the inserter''s');
select throws_ok($$update worker.tasks set priority = 1$$, '0A000', null, 'an update');
select throws_ok($$delete from worker.tasks$$, '0A000', null, 'a delete');
select * from finish();
rollback;
