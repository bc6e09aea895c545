begin;
select plan(3);
select worker.enqueue_function('plain') \gexec
select worker.enqueue_plain('{"n": 1}', null, 3) as id \gset
select results_eq(format('select command, payload, priority from worker.tasks where id = %s', :id), $$values ('plain', '{"n": 1, "command": "plain"}'::jsonb, 3::bigint)$$, 'it enqueues its command');
select isnt(worker.enqueue_plain(), null, 'everything may be left out');
select throws_ok($$select worker.enqueue_function('nothing')$$, '23503', null, 'only for commands that exist');
select * from finish();
rollback;
