begin;
select plan(9);
update worker.command_registry set dedup_policy = 'skip' where command = 'merged';
select worker.enqueue('merged', '{"kind": "a", "n": 1}') as a, worker.enqueue('merged', '{"kind": "a", "n": 2}') as b \gset
select is(:a, :b, 'skip: the same task');
select test.run_command(:a);
select is(test.calls('plain'), array['{"kind": "a", "n": 1}']::jsonb[], 'with the older payload');
update worker.command_registry set dedup_policy = 'replace' where command = 'merged';
select worker.enqueue('merged', '{"kind": "b", "n": 1}') as a, worker.enqueue('merged', '{"kind": "b", "n": 2}') as b \gset
select isnt(:a, :b, 'replace: a new task');
select is(test.outcome(:a), 'superseded', 'the older one is superseded');
select is(test.state(:a), 'completed', 'which reads as completed');
select is((select payload->'n' from worker.tasks where id = :b), '2', 'with the newer payload');
update worker.command_registry set dedup_policy = 'error' where command = 'merged';
select lives_ok($$select worker.enqueue('merged', '{"kind": "c"}')$$, 'error: the first one');
select throws_ok($$select worker.enqueue('merged', '{"kind": "c"}')$$, '23505', null, 'the second one is refused');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
